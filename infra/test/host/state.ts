import type { Host } from './host';

const UNITS = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service', 'fstrim.timer', 'man-db.timer', 'e2scrub_all.timer'];
const SETTINGS = ['kernel.randomize_va_space', 'kernel.nmi_watchdog', 'kernel.numa_balancing', 'vm.swappiness'];
const FOLDERS = ['/etc/systemd/system', '/etc/docker', '/etc/sysctl.d', '/etc/perf-lab', '/etc/nftables.d', '/usr/local/lib', '/var/lib/perf-lab', '/run/perf-lab'];

/** Whatever of a host the agent may touch: an owner's host is to be this again when the agent has gone. */
export const state = (host: Host): string => host.ask(`
  for unit in ${UNITS.join(' ')}; do echo "$unit $(systemctl is-enabled $unit 2>/dev/null) $(systemctl is-active $unit)"; done
  for key in ${SETTINGS.join(' ')}; do sysctl $key; done
  nft list tables | grep perf-lab
  find ${FOLDERS.join(' ')} -printf '%p %m %l\\n' 2>/dev/null | LC_ALL=C sort
  find ${FOLDERS.join(' ')} -type f -exec sha256sum {} + 2>/dev/null | LC_ALL=C sort
  getent passwd lab-runner perf-lab-watch
  docker info --format '{{.LiveRestoreEnabled}} {{.LoggingDriver}} {{.DockerRootDir}}'; true`);

/** What an owner may have there: settings of Docker's, a timer switched off, a timer of his own in the place of the distribution's. */
export const OWNERS = `
  mkdir -p /etc/docker && printf '{\\n  "data-root": "/var/lib/docker",\\n  "debug": true, "icc": false\\n}' >/etc/docker/daemon.json
  ln -s /dev/null /etc/systemd/system/fstrim.timer
  printf '[Timer]\\nOnCalendar=yearly\\n' >/etc/systemd/system/man-db.timer`;
