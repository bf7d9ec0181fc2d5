import { z } from 'zod';
import { text } from './values';

/**
 * Linux 5.16 stopped slowing every seccomp process down (docs/machines.md); older kernels are no place to measure. Debian's packages come over
 * 443, the only port that machines may reach; others' do not, and want a gallery image (docs/internals/gallery-image.md).
 */
const OFFERS = new Map([['debian-12', '6.1'], ['debian-13', '6.12']]);
const GALLERY = new RegExp(String.raw`^/subscriptions/[0-9a-f-]{36}/resourceGroups/[\w.()-]+/providers/Microsoft\.Compute/`
  + String.raw`galleries/[\w.]+/images/[\w.-]+/versions/\d+\.\d+\.\d+$`);

/** Either a marketplace image or a version in a compute gallery; always one exact version. */
export type Image =
  | { readonly kind: 'marketplace'; readonly publisher: string; readonly offer: string; readonly sku: string; readonly version: string }
  | { readonly kind: 'gallery'; readonly id: string };

export const image = text('Publisher:offer:sku:version, or the id of a gallery image version', /./).transform((value, ctx): Image => {
  const parsed = parseImage(value);
  if (typeof parsed !== 'string') return parsed;
  ctx.addIssue(parsed);
  return z.NEVER;
});

/** `Publisher:offer:sku:version` as `az vm image list` prints it, or the id of a gallery image version; text when it is wrong. */
function parseImage(text: string): Image | string {
  if (text.startsWith('/')) {
    return GALLERY.test(text) ? { kind: 'gallery', id: text }
      : `"${text.slice(0, 80)}" is not …/galleries/<gallery>/images/<image>/versions/<major.minor.patch>: an exact version, never latest`;
  }
  const parts = text.split(':');
  const [publisher = '', offer = '', sku = '', version = ''] = parts;
  if (parts.length !== 4) return `"${text.slice(0, 80)}" is not Publisher:offer:sku:version (az vm image list --all --publisher Debian)`;
  if (!/^\d+(\.\d+){1,3}$/.test(version))
    return `"${version.slice(0, 40)}" is not an exact image version such as 0.20251006.2257, never latest`;
  if (!OFFERS.has(offer))
    return `"${offer.slice(0, 40)}" is not one of ${[...OFFERS.keys()].join(', ')}: images whose kernel is known to be 5.16 or later and whose packages come over 443 (for others: docs/internals/gallery-image.md)`;
  if (!/gen2|^server$|^minimal$/.test(sku)) return `"${sku.slice(0, 40)}" is not a generation 2 image: trusted launch needs one`;
  return { kind: 'marketplace', publisher, offer, sku, version };
}
