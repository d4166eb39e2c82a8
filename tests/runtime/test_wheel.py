# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The wheel that `pip wheel .` builds, installed where there is nothing else of this project.
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 30 * 10**6
NEWEST_GLIBC = (2, 36)  # of Debian 12

pytestmark = pytest.mark.plain_build


def build_wheel(folder):
    """In the folder of the build that is under test, where nothing is left to compile: only one test may do it at a time."""
    options = [
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        "-C",
        f"build-dir={ROOT / 'build/cmake'}",
        "-C",
        "cmake.define.PYASC_TESTS=ON",
    ]
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", *options, "-w", folder, ROOT], check=True, timeout=300)
    return next(folder.glob("pyasc_anywhere-*.whl"))


def check_size_and_content(wheel):
    assert wheel.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"asc", "pyasc", "pyasc_pytest"}
    assert {"asc/__init__.pyi", "asc/py.typed", "pyasc/project/my_kernel.py", "pyasc/_core.pyi"} <= set(names)


def check_what_its_binaries_need(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    binaries = [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    assert any(path.name.startswith("_core") for path in binaries)
    for path in binaries:
        told = subprocess.run(["readelf", "-d", "-V", "--wide", path], check=True, capture_output=True, text=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", told)
        assert not [name for name in needed if re.search("LLVM|MLIR|python", name)], needed
        versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d+\.\d+)", told)}
        if debian_release() == "12":
            assert max(versions, default=(0, 0)) <= NEWEST_GLIBC, path


def debian_release():
    text = Path("/etc/os-release").read_text()
    return re.search(r'VERSION_ID="?([\d.]+)', text)[1] if "ID=debian" in text else None


def check_in_an_empty_environment(wheel, tmp_path):
    """Only NumPy, and pytest for the test itself, are there besides."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True, timeout=60)
    python = tmp_path / "env/bin/python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel], check=True, timeout=120
    )
    packages = next((tmp_path / "env/lib").glob("python*/site-packages"))
    for distribution in ("numpy", "pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        for top in {file.parts[0] for file in metadata.files(distribution) if file.parts[0] != ".."}:
            source = Path(metadata.distribution(distribution).locate_file(top))
            if not (packages / top).exists() and source.name != "__pycache__":
                (packages / top).symlink_to(source)
    shutil.copy(ROOT / "tests/test_tiny.py", tmp_path)
    command = [python, "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_tiny.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and re.search(r"\d+ passed", done.stdout), done.stdout + done.stderr
    told = subprocess.run([python, "-I", "-m", "pyasc", "doctor"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and str(tmp_path / "env") in told.stdout, told.stdout + told.stderr


def test_wheel(tmp_path):
    for part in ("wheel", "content", "use"):
        (tmp_path / part).mkdir()
    wheel = build_wheel(tmp_path / "wheel")
    check_size_and_content(wheel)
    check_what_its_binaries_need(wheel, tmp_path / "content")
    check_in_an_empty_environment(wheel, tmp_path / "use")
