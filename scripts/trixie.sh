# Packages of Debian trixie on any Debian; to be sourced. The system's own configuration stays as
# it is: apt-get gets sources, lists and a cache of its own, in a folder of $cache.
#   open_trixie && trixie source --download-only NAME=VERSION; close_trixie

# The first Debian mirror that this machine is set up to use, security archives left out.
debian_mirror() {
    {
        sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null || true
        sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' \
            /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true
    } | tr ' ' '\n' | grep -E '/debian/?$' | head -n 1 || true
}

open_trixie() {
    local mirror
    mirror=$(debian_mirror)
    [ -n "$mirror" ] && command -v apt-get >/dev/null || return 1
    apt_dir=$cache/apt.$$
    mkdir -p "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial"
    cat >"$apt_dir/trixie.sources" <<SOURCES
Types: deb deb-src
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
    trixie update || {
        close_trixie
        return 1
    }
}

close_trixie() {
    rm -rf "$apt_dir"
}

trixie() {
    apt-get -qq \
        -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::SourceList="$apt_dir/trixie.sources" \
        -o Dir::State="$apt_dir" -o Dir::State::Lists="$apt_dir/lists" \
        -o Dir::Cache="$apt_dir/cache" -o APT::Sandbox::User="$(id -un)" \
        -o Debug::NoLocking=1 "$@" >"$apt_dir/log" 2>&1 || {
        cat "$apt_dir/log" >&2
        return 1
    }
}
