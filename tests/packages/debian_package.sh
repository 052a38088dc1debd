#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# debian_package.sh CPACK BUILD [TAG]: the package is clean for lintian (but for TAG), installs into a root that has only what it
# depends on (and make, for the example's own build), does the demo's steps there as an ordinary user, and
# leaves nothing behind when it is purged.
set -euo pipefail
cpack=$1
build=$2
cache=$build/package-root
root=$cache/root

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: only root may make a root to install into"
    exit 77
fi

# Mounts end with the command.
inside() {
    unshare --mount --pid --fork bash -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" &&
        chmod 1777 "$1/tmp" && root=$1 && shift &&
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' - "$root" "$@"
}

as_user() {
    inside HOME=/home/user USER=user setpriv --reuid=1000 --regid=1000 --clear-groups "$@"
}

files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./home -o -path ./tmp -o -path ./dev -o -path ./var/lib/dpkg \
        -o -path ./var/log -o -path ./var/cache \) -prune -o -print | sort)
}

make_root() {
    rm -rf "$cache"
    mkdir -p "$cache"
    mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include="make,$1" bookworm "$root" ||
        fail "mmdebstrap cannot make a root with $1"
    mkdir -m 755 "$root/home/user"
    chown 1000:1000 "$root/home/user"
    echo user:x:1000:1000::/home/user:/bin/sh >> "$root/etc/passwd"
    printf '%s\n' "$1" > "$cache/depends"
}

(cd "$build" && "$cpack") > "$build/cpack.log" 2>&1 || fail "cpack: $(cat "$build/cpack.log")"
package=$(ls -t "$build"/packages/mpiskel_*_amd64.deb | head -1)
[ -n "$package" ] || fail "cpack made no package"
complaints=$(lintian --allow-root ${3:+--suppress-tags "$3"} "$package" 2>&1) || true
[ -z "$complaints" ] || fail "lintian: $complaints"

depends=$(dpkg-deb -f "$package" Depends | sed 's/ *([^)]*)//g; s/ //g')
[ "$(cat "$cache/depends" 2> /dev/null)" = "$depends" ] || make_root "$depends"

inside dpkg --purge mpiskel > /dev/null 2>&1 || true # what a run left that was ended
rm -rf "$root/home/user/work"
files > "$cache/before"
cp "$package" "$root/home/mpiskel.deb"
inside dpkg --install /home/mpiskel.deb > "$build/dpkg.log" 2>&1 || fail "dpkg: $(cat "$build/dpkg.log")"

as_user sh -c 'mkdir ~/work && cd ~/work && mpiskel --version && /usr/share/doc/mpiskel/examples/demo' \
    > "$build/package-demo.log" 2>&1 || fail "the demo: $(tail -30 "$build/package-demo.log")"
grep -q '^heat3d on 1024 ranks: predicted time [0-9.]* s$' "$build/package-demo.log" ||
    fail "the demo predicts nothing: $(tail -30 "$build/package-demo.log")"
grep -q '^identical: ' "$build/package-demo.log" || fail "the skeleton was not verified"

inside dpkg --purge mpiskel > "$build/dpkg.log" 2>&1 || fail "dpkg: $(cat "$build/dpkg.log")"
rm -rf "$root/home/user/work"
files | diff "$cache/before" - || fail "the package leaves files behind, or takes others with it"
