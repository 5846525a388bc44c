import { z } from 'zod'
import { issue } from './scalars.js'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * An image as base64, or as a data URL whose payload is everything after the first comma (contract part 1, Create guild).
 * This build stores no images: one that is well formed is refused with FAILED_TO_UPLOAD_IMAGE rather than left out unseen.
 */
export const imageInput = z.string().transform((text, context): never => {
  const payload = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text
  if (payload === '') return issue(context, 'BASE64_LENGTH_INVALID')
  if (payload.length % 4 !== 0 || !base64.test(payload)) return issue(context, 'INVALID_BASE64_FORMAT')
  return issue(context, 'FAILED_TO_UPLOAD_IMAGE')
})

/** What the encoded text of a branding asset may have, in characters (reference identity 8.6). */
const brandingAsset_characters_max = 16_000_000

/** An image by which the instance is known. As with every other one, none is stored yet. */
export const brandingAssetImage = z
  .string()
  .transform((text, context) =>
    text.length > brandingAsset_characters_max ? issue(context, 'BASE64_LENGTH_INVALID') : text,
  )
  .pipe(imageInput)

/** What the encoded text of a profile image may have, in characters (reference identity 2.8). */
const profileImage_characters_max = 13_981_016

/**
 * An avatar or a banner, by what its first bytes say that it is: PNG, JPEG, GIF and WebP are images, and those that can move
 * count as animated when they do. BASE64_LENGTH_INVALID or INVALID_BASE64_FORMAT (reference identity 2.8).
 */
export const profileImageInput = z.string().transform((text, context) => {
  const payload = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text
  if (payload === '' || payload.length > profileImage_characters_max) return issue(context, 'BASE64_LENGTH_INVALID')
  if (payload.length % 4 !== 0 || !base64.test(payload)) return issue(context, 'INVALID_BASE64_FORMAT')
  return imageKindOf(Buffer.from(payload, 'base64'))
})

/** Text of one byte a character, as which the marks of the formats are written. */
function imageKindOf(bytes: Buffer): 'still' | 'animated' | 'none' {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'still'
  if (/^GIF8[79]a/.test(head)) return 'animated'
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return bytes.includes('acTL') ? 'animated' : 'still'
  if (/^RIFF.{4}WEBP/s.test(head)) return bytes.includes('ANIM') ? 'animated' : 'still'
  return 'none'
}
