#!/usr/bin/env bash
# Runs the README's two commands on a machine that has nothing yet: makes a minimal Debian or Ubuntu in FOLDER, puts the
# last commit there, and enters it. Exits with 0 only if both commands do. Run it before a release.
# Usage: bare_machine.sh FOLDER [SUITE [MIRROR]], SUITE: bookworm (the default) or noble
# Needs root, debootstrap, 4 GB and a mirror that answers: MIRROR, or the one debootstrap knows. FOLDER must not exist; it
# stays, for a look into build/.
set -euo pipefail
(($# >= 1 && $# <= 3)) || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
folder=$1 suite=${2:-bookworm}
case $suite in
  bookworm) components=main ;;
  noble) components=main,universe ;;
  *) echo "no suite '$suite' here: bookworm or noble" >&2 && exit 2 ;;
esac
[[ ! -e $folder ]] || { echo "$folder is there already: name a folder that is not" >&2; exit 2; }
source_dir=$(dirname "$(readlink -f "$0")")/../..

debootstrap --variant=minbase --components="$components" "$suite" "$folder" "${@:3:1}"
folder=$(readlink -f "$folder")
[[ -e $folder/etc/resolv.conf ]] || cp -L /etc/resolv.conf "$folder/etc"
mkdir "$folder/opt/halfstep"
git -C "$source_dir" archive HEAD | tar -x -C "$folder/opt/halfstep"

# there COMMAND...: runs a command in the new machine, with an environment of its own; its mounts end with it.
there() {
  unshare --mount --propagation private bash -c 'mount -t proc proc "$0/proc" && mount -t tmpfs shm "$0/dev/shm" &&
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      sh -c "cd /opt/halfstep && exec \"\$@\"" sh "$@"' "$folder" "$@"
}
broken=0
for command in "run inputs/sod.yaml" test; do
  status=0
  # shellcheck disable=SC2086
  there ./bootstrap.sh $command || status=$?
  echo "$suite: ./bootstrap.sh $command ended with $status"
  ((status == 0)) || broken=1
done
exit $broken
