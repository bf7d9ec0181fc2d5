import type { Fields } from './fields';
import type { Image } from './settings';

/** Linux 5.16 stopped slowing every seccomp process down (docs/machine.md); older kernels are no place to measure. */
const OFFERS: Readonly<Record<string, string>> = { 'debian-12': '6.1', 'debian-13': '6.12', 'ubuntu-24_04-lts': '6.8' };
const GALLERY = /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[\w.()-]+\/providers\/Microsoft\.Compute\/galleries\/[\w.]+\/images\/[\w.-]+\/versions\/\d+\.\d+\.\d+$/;

/** The member `image`; when it is wrong the problem is written down and what comes back is of no use. */
export function readImage(top: Fields): Image {
  const text = top.text('image', 'Publisher:offer:sku:version, or the id of a gallery image version', /./);
  const image = parseImage(text);
  if (typeof image !== 'string') return image;
  if (text !== '') top.refuse('image', image);
  return { kind: 'gallery', id: '' };
}

/** `Publisher:offer:sku:version` as `az vm image list` prints it, or the id of a gallery image version; text when it is wrong. */
function parseImage(text: string): Image | string {
  if (text.startsWith('/')) {
    return GALLERY.test(text) ? { kind: 'gallery', id: text }
      : `"${text.slice(0, 80)}" is not …/galleries/<gallery>/images/<image>/versions/<major.minor.patch>: an exact version, never latest`;
  }
  const parts = text.split(':');
  const [publisher = '', offer = '', sku = '', version = ''] = parts;
  if (parts.length !== 4) return `"${text.slice(0, 80)}" is not Publisher:offer:sku:version (az vm image list --all --publisher Debian)`;
  if (!/^\d+(\.\d+){1,3}$/.test(version)) return `"${version.slice(0, 40)}" is not an exact image version such as 0.20251006.2257, never latest`;
  if (!(offer in OFFERS)) return `"${offer}" is not one of ${Object.keys(OFFERS).join(', ')}: images whose kernel is known to be 5.16 or later`;
  if (!/gen2|^server$|^minimal$/.test(sku)) return `"${sku}" is not a generation 2 image: trusted launch needs one`;
  return { kind: 'marketplace', publisher, offer, sku, version };
}
