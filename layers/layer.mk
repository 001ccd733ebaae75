# What the Makefiles of the layers share. `sam build` runs them in a copy of the layer's folder; `make package` tells pip to
# take the wheels of requirements.lock from disk.

PYTHON_3_13 ?= python3.13
PIP ?= $(PYTHON_3_13) -m pip

# Lambda's Python 3.13 on arm64 runs on Amazon Linux 2023, which has glibc 2.34.
FOR_LAMBDA = --only-binary :all: --implementation cp --python-version 3.13 \
	--platform manylinux_2_34_aarch64 --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64

define install_packages
$(PIP) install --quiet --disable-pip-version-check --no-deps --no-compile --require-hashes $(FOR_LAMBDA) \
	--target "$(ARTIFACTS_DIR)/python" --requirement requirements.lock
rm -rf "$(ARTIFACTS_DIR)/python/bin"
endef

# A layer is read-only: modules that are not compiled here would be compiled at every cold start.
define compile_modules
find "$(ARTIFACTS_DIR)/python" -name __pycache__ -prune -exec rm -r {} +
$(PYTHON_3_13) -m compileall -q --invalidation-mode unchecked-hash -s "$(ARTIFACTS_DIR)" -p /opt "$(ARTIFACTS_DIR)/python"
endef
