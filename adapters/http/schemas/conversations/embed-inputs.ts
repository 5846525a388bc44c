import { z } from 'zod'
import { attachmentScheme, showsAnything, type Embed } from '../../../../domain/messages/embeds.ts'
import { unitsInWords } from '../../../../application/wire-objects/units-in-words.ts'
import { orNull, withDefault } from '../scalars.ts'
import { timestampInput } from '../timestamps.ts'

const url_units_max = 2048
const color_max = 0xffffff

/** A text whose length is counted in UTF-16 units, as in the sum over all embeds. */
const text = (max: number) => z.string().max(max)
const absentIfEmpty = (max: number) => orNull(text(max)).transform((given) => given || null)

const isWeb = (given: string): boolean => /^https?:\/\//i.test(given) && URL.canParse(given)
const web = z.string().min(1).max(url_units_max).refine(isWeb).meta({ description: 'An address of http or https.' })
const picture = z
  .string()
  .min(1)
  .max(url_units_max)
  .refine((given) => given.startsWith(attachmentScheme) || isWeb(given))
  .meta({ description: 'An address of http or https, or attachment:// and the name of a file of the same message.' })

const author = z
  .object({ name: absentIfEmpty(256), url: orNull(web), icon_url: orNull(web) })
  .transform(({ name, url, icon_url: iconUrl }) => (name === null ? null : { name, ...given({ url, iconUrl }) }))
const footer = z
  .object({ text: absentIfEmpty(2048), icon_url: orNull(web) })
  .transform(({ text: line, icon_url: iconUrl }) => (line === null ? null : { text: line, ...given({ iconUrl }) }))
const media = z
  .object({ url: orNull(picture), description: absentIfEmpty(4096) })
  .transform(({ url, description }) => (url === null ? null : { url, ...given({ description }) }))
const field = z.object({
  name: z.string().min(1).max(256),
  value: text(1024),
  inline: withDefault(z.boolean(), false),
})

/** An embed as a sender writes it. What it names by halves, such as an author without a name, counts as absent. */
export const embedInput = z
  .object({
    title: absentIfEmpty(256),
    description: absentIfEmpty(4096),
    url: orNull(web),
    color: orNull(z.int().min(0).max(color_max).meta({ description: unitsInWords.color })),
    timestamp: orNull(timestampInput),
    author: orNull(author),
    footer: orNull(footer),
    image: orNull(media),
    thumbnail: orNull(media),
    fields: orNull(z.array(field).max(25)),
  })
  .meta({ id: 'EmbedInput', description: 'A box below a message.' })
  .transform(({ color, fields, ...others }): Embed => ({
    ...given(others),
    color: color ?? 0,
    ...(fields !== null && fields.length > 0 && { fields }),
  }))

/** The embeds that show anything. */
export const shownEmbeds = (embeds: readonly Embed[]): readonly Embed[] => embeds.filter(showsAnything)

type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], null> }

/** The members that are not null. */
function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Given<Members>
}
