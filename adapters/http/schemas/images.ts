import { z } from 'zod'
import { issue } from './scalars.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The longest encoded text of a guild image, in characters. */
const guildImage_characters_max = 139_810_136

/**
 * The bytes of a guild image, sent as base64 or as a data URL whose payload is everything after the first comma.
 * BASE64_LENGTH_INVALID or INVALID_BASE64_FORMAT.
 */
export const guildImageInput = imageOf(guildImage_characters_max)

function imageOf(characters_max: number) {
  const description = `The image as base64 or as a data URL, whose base64 has up to ${characters_max} characters.`
  return z
    .string()
    .meta({ description })
    .transform((text, context): Uint8Array => {
      const payload = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text
      if (payload === '' || payload.length > characters_max) return issue(context, 'BASE64_LENGTH_INVALID')
      if (payload.length % 4 !== 0 || !base64.test(payload)) return issue(context, 'INVALID_BASE64_FORMAT')
      return Buffer.from(payload, 'base64')
    })
}

/** The longest encoded text of a branding asset, in characters. */
const brandingAsset_characters_max = 16_000_000

/** A branding image of the instance, sent in the same way. */
export const brandingAssetInput = imageOf(brandingAsset_characters_max)

/** The longest encoded text of a profile image, in characters. */
const profileImage_characters_max = 13_981_016

/**
 * An image of an account, a group or a member, sent in the same way. BASE64_LENGTH_INVALID or INVALID_BASE64_FORMAT.
 */
export const profileImageInput = imageOf(profileImage_characters_max)

/** The longest encoded text of the image of an emoji or sticker, in characters. */
const expressionImage_characters_max = 699_052

/** The image of an emoji or sticker, sent in the same way. */
export const expressionImageInput = imageOf(expressionImage_characters_max)
