import { reject } from '../../../application/commands/refused.ts'
import { imageKinds } from '../../../domain/images/image-kinds.ts'
import { brandingAssets } from '../../../domain/instance/policy.ts'
import type { Answer } from '../answer.ts'

/** Reads images by name: `<kind>/<owner>/<hash>`. */
export interface MediaSource {
  /** Undefined if there is no such image. */
  get(name: string): Promise<Uint8Array | undefined>
}

const owner = `[0-9]{1,19}(?:-[0-9]{1,19})?|${brandingAssets.join('|')}`
const imagePath = new RegExp(
  `^/media/(?<name>(?:${imageKinds.join('|')})/(?:${owner})/(?:a_)?[0-9a-f]{32})(?:\\.webp)?$`,
)

/**
 * An image: `GET /media/<kind>/<owner>/<hash>`, with `.webp` or without. The content behind a hash never changes, so that
 * clients may cache it forever. Headers make sure that browsers treat it as an image only. 404 NOT_FOUND for everything else.
 */
export async function mediaAnswer(source: MediaSource, path: string): Promise<Answer> {
  const name = imagePath.exec(path)?.groups?.['name']
  const bytes = name === undefined ? undefined : await source.get(name)
  if (!bytes) return reject('NOT_FOUND')
  return {
    status: 200,
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    },
    body: Buffer.from(bytes),
  }
}
