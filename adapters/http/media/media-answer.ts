import { reject } from '../../../application/commands/refused.ts'
import { imageKinds } from '../../../domain/images/image-kinds.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import { brandingAssets } from '../../../domain/instance/policy.ts'
import type { Answer } from '../answer.ts'

/** Reads images by name: `<kind>/<owner>/<hash>`. */
export interface MediaSource {
  /** Undefined if there is no such image. */
  get(name: string): Promise<Uint8Array | undefined>
}

/** The name of the image of an emoji or sticker; undefined for none. */
export type FindExpressionImage = (kind: 'emojis' | 'stickers', id: string) => Promise<string | undefined>

const owner = `[0-9]{1,19}(?:[/-][0-9]{1,19})?|${brandingAssets.join('|')}`
const imagePath = new RegExp(
  `^/media/(?<name>(?:${imageKinds.join('|')})/(?:${owner})/(?:a_)?[0-9a-f]{32})(?:\\.webp)?$`,
)

const expressionPath = /^\/media\/(?<kind>emojis|stickers)\/(?<id>[0-9]{1,19})(?:\.webp)?$/

/** A request for an image: the path, and the query with its question mark or without. */
interface AskedImage {
  readonly path: string
  readonly search: string
}

/**
 * An image: `GET /media/<kind>/<owner>/<hash>`, with `.webp` or without; for an emoji or sticker `/media/<kind>/<its id>` too, whose
 * image stands still with `?animated=false`. The content behind a hash or such an id never changes, so that
 * clients may cache it forever. Headers make sure that browsers treat it as an image only. 404 NOT_FOUND for everything else.
 */
export async function mediaAnswer(source: MediaSource, find: FindExpressionImage, asked: AskedImage): Promise<Answer> {
  const name = imagePath.exec(asked.path)?.groups?.['name'] ?? (await expressionName(find, asked))
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

async function expressionName(find: FindExpressionImage, { path, search }: AskedImage): Promise<string | undefined> {
  const { kind, id } = expressionPath.exec(path)?.groups ?? {}
  if (id === undefined || !parseSnowflake(id).ok) return undefined
  const found = await find(kind === 'emojis' ? 'emojis' : 'stickers', id)
  if (!found) return undefined
  return new URLSearchParams(search).get('animated') === 'false' ? found.replace('/a_', '/') : found
}
