import { z } from 'zod'
import type { Attachment } from '../../../domain/messages/attachments.ts'
import type { Embed, EmbedAuthor, EmbedFooter, EmbedMedia } from '../../../domain/messages/embeds.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { timestampOutput } from '../scalars.ts'
import { unitsInWords } from '../units-in-words.ts'

const mediaSchema = z.object({
  url: z.string().describe('Where the picture is.'),
  proxy_url: z.string().describe('Where clients load it from.'),
  description: z.string().optional().describe('What it shows, for those who do not see it.'),
  content_type: z.string().optional(),
  content_hash: z.string().optional(),
  width: z.int().optional().describe('Pixels; absent where it is not known.'),
  height: z.int().optional().describe('Pixels; absent where it is not known.'),
  placeholder: z.string().optional().describe('A ThumbHash in base64.'),
  flags: z.int().describe('32 animated.'),
})

export const embedSchema = wireObject('Embed', {
  type: z.string().describe('rich: somebody wrote it. link, article, image: the preview of a link.'),
  title: z.string().optional(),
  description: z.string().optional(),
  url: z.string().optional().describe('Where the title leads.'),
  color: z.int().describe(`${unitsInWords.color} 0 for none.`),
  timestamp: timestampOutput.optional(),
  author: z
    .object({
      name: z.string(),
      url: z.string().optional(),
      icon_url: z.string().optional(),
      proxy_icon_url: z.string().optional(),
    })
    .optional(),
  footer: z
    .object({ text: z.string(), icon_url: z.string().optional(), proxy_icon_url: z.string().optional() })
    .optional(),
  image: mediaSchema.optional(),
  thumbnail: mediaSchema.optional(),
  provider: z.object({ name: z.string(), url: z.string() }).optional().describe('The site of a link.'),
  fields: z
    .array(z.object({ name: z.string(), value: z.string(), inline: z.boolean().describe('May stand beside others.') }))
    .readonly()
    .optional(),
})

export type EmbedObject = ObjectOf<typeof embedSchema>

/** An embed as clients see it. `address` gives that of a file which it shows. */
export function embedObject(embed: Embed, address: (file: Attachment) => string): EmbedObject {
  const { title, description, url, color, timestamp, author, footer, image, thumbnail, provider, fields } = embed
  return objectOf(embedSchema, {
    type: embed.type ?? 'rich',
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(url === undefined ? {} : { url }),
    color,
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(author === undefined ? {} : { author: authorObject(author) }),
    ...(footer === undefined ? {} : { footer: footerObject(footer) }),
    ...(image === undefined ? {} : { image: mediaObject(image, address) }),
    ...(thumbnail === undefined ? {} : { thumbnail: mediaObject(thumbnail, address) }),
    ...(provider === undefined ? {} : { provider }),
    ...(fields === undefined ? {} : { fields }),
  })
}

function authorObject({ name, url, iconUrl }: EmbedAuthor) {
  return { name, ...(url === undefined ? {} : { url }), ...iconMembers(iconUrl) }
}

function footerObject({ text, iconUrl }: EmbedFooter) {
  return { text, ...iconMembers(iconUrl) }
}

/** Pictures of other servers are loaded from there: this server has no proxy for them (decision 203). */
function iconMembers(iconUrl: string | undefined) {
  return iconUrl === undefined ? {} : { icon_url: iconUrl, proxy_icon_url: iconUrl }
}

function mediaObject({ url: given, description, attachment }: EmbedMedia, address: (file: Attachment) => string) {
  const url = attachment ? address(attachment) : given
  return {
    url,
    proxy_url: url,
    ...(description === undefined ? {} : { description }),
    ...(attachment && seen(attachment)),
    flags: attachment?.flags ?? 0,
  }
}

function seen({ contentType, contentHash, width, height, placeholder }: Attachment) {
  return {
    content_type: contentType,
    ...(contentHash === null ? {} : { content_hash: contentHash }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(placeholder === undefined ? {} : { placeholder }),
  }
}
