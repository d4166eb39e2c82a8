# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plug-in for pytest: with --pyasc-check, a test whose launches have findings fails, whether it catches the errors or not. It is a
package of its own, because without the option nothing of pyasc is to be imported."""

import pytest

_OFF = ("", "none")
_MARKER = "pyasc_findings"


def pytest_addoption(parser):
    group = parser.getgroup("pyasc")
    group.addoption("--pyasc-check", metavar="NAMES", help="fail tests whose launches have findings of these checks, for example all")
    group.addoption("--pyasc-seed", metavar="N", type=int, help="of adversarial mode, in all launches")
    parser.addini("pyasc_check", "what --pyasc-check is when it is not given", default="")


def pytest_configure(config):
    line = f"{_MARKER}(*codes): launches of the test have findings, all of these codes; without codes, of any"
    config.addinivalue_line("markers", line)
    names = config.getoption("--pyasc-check")
    if names is None:
        names = config.getini("pyasc_check")
    if names.strip() not in _OFF:
        config.pluginmanager.register(_Checks(names, config.getoption("--pyasc-seed")), "pyasc-checks")


class _Checks:
    """Watches the launches of each test."""

    def __init__(self, names, seed):
        from pyasc import checks, errors

        self.checks, self.forced = checks, (names, seed)
        try:
            checks.force(names, seed)
        except errors.LaunchError as error:
            raise pytest.UsageError(f"--pyasc-check, --pyasc-seed: {error}") from None

    def pytest_unconfigure(self):
        self.checks.force(None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item):
        return (yield from self._watch(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        result = yield from self._watch(item)
        marker = item.get_closest_marker(_MARKER)
        if marker and not item.stash.get(_seen, False):
            pytest.fail(f"no launch had findings; the test expects {' or '.join(marker.args) or 'some'}", pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item):
        return (yield from self._watch(item))

    def _watch(self, item):
        result = skip = None
        self.checks.force(*self.forced)  # a test before may have forced others
        with self.checks.collect() as launches:
            try:
                result = yield
            except pytest.skip.Exception as exception:  # what launches have found before counts all the same
                skip = exception
        findings = [finding for launch in launches for finding in launch]
        marker = item.get_closest_marker(_MARKER)
        if marker:
            item.stash[_seen] = item.stash.get(_seen, False) or bool(findings)
            findings = [finding for finding in findings if marker.args and finding.code not in marker.args]
        if findings:
            from pyasc import report

            texts = dict.fromkeys(report.render(finding) for finding in findings)
            help = f"a test that is meant to have findings is marked @pytest.mark.{_MARKER}({findings[0].code!r})"
            pytest.fail("\n\n".join(["launches of this test had findings", *texts, help]), pytrace=False)
        if skip:
            raise skip
        return result


_seen = pytest.StashKey[bool]()
