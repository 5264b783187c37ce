#!/usr/bin/env bash
# Gradescope runs this once, when the autograder's image is built. Python lies where
# everybody can read it: a student's code runs as nobody.
set -euo pipefail
apt-get update
apt-get install --yes --no-install-recommends python3-venv
python3 -m venv /opt/uv
/opt/uv/bin/pip install --quiet uv
export UV_PYTHON_INSTALL_DIR=/opt/pythons
/opt/uv/bin/uv venv --python 3.13 --seed /opt/python
/opt/python/bin/pip install --quiet --require-hashes --only-binary :all: \
    --requirement /autograder/source/book/requirements.lock
chmod -R a+rX /autograder/source/book
chmod -R go= /autograder/source/seed
if [ -d /autograder/source/course ]; then chmod -R go= /autograder/source/course; fi
