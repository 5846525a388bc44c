import type { Timestamp } from '../kernel/timestamp.ts'
import { visible } from '../text/normalise.ts'
import type { Attachment } from './attachments.ts'

/** A box below a message, which a bot or a webhook wrote (rules/messages#embeds). Members that it lacks are absent. */
export interface Embed {
  /** What a link leads to, for a preview; absent for what somebody wrote. */
  readonly type?: 'link' | 'article' | 'image'
  readonly title?: string
  readonly description?: string
  /** Where the title leads. */
  readonly url?: string
  /** Of the bar beside it: 0xRRGGBB; 0 for none. */
  readonly color: number
  readonly timestamp?: Timestamp
  readonly author?: EmbedAuthor
  readonly footer?: EmbedFooter
  readonly image?: EmbedMedia
  readonly thumbnail?: EmbedMedia
  /** The site of a link. */
  readonly provider?: { readonly name: string; readonly url: string }
  /** At most 25; absent for none. */
  readonly fields?: readonly EmbedField[]
}

export interface EmbedAuthor {
  readonly name: string
  readonly url?: string
  readonly iconUrl?: string
}

export interface EmbedFooter {
  readonly text: string
  readonly iconUrl?: string
}

/** A picture at an address. */
export interface EmbedMedia {
  /** http, https, or `attachment://` and the name of a file of the same message. */
  readonly url: string
  readonly description?: string
  /** The file that `attachment://` named: it is seen through the embed alone. */
  readonly attachment?: Attachment
}

export interface EmbedField {
  readonly name: string
  readonly value: string
  /** Whether it may stand beside others. */
  readonly inline: boolean
}

/** The longest text of all embeds of a message together, in UTF-16 units. */
export const embeds_units_max = 6000
/** How addresses of files of the same message begin. */
export const attachmentScheme = 'attachment://'

/** Whether an embed shows anything. One that has no more than a colour or a time is left out. */
export function showsAnything({
  title,
  description,
  url,
  author,
  footer,
  image,
  thumbnail,
  fields = [],
}: Embed): boolean {
  const texts = [title, description, author?.name, footer?.text].some(
    (text) => text !== undefined && visible(text) !== '',
  )
  return texts || url !== undefined || image !== undefined || thumbnail !== undefined || fields.length > 0
}

/** How long the texts of embeds are together, in UTF-16 units: titles, descriptions, names and texts, not addresses. */
export function unitsOf(embeds: readonly Embed[]): number {
  const texts = embeds.flatMap(({ title = '', description = '', author, footer, fields = [] }) => [
    title,
    description,
    author?.name ?? '',
    footer?.text ?? '',
    ...fields.flatMap(({ name, value }) => [name, value]),
  ])
  return texts.reduce((sum, text) => sum + text.length, 0)
}

export type EmbedFault =
  | 'CANNOT_REFERENCE_ATTACHMENTS_WITHOUT_ATTACHMENTS'
  | 'REFERENCED_ATTACHMENT_NOT_FOUND'
  | 'ATTACHMENT_MUST_BE_IMAGE'

const pictures = /\.(?:png|jpe?g|webp|gif)$/i

/** An embed's image or thumbnail that names a file which it cannot show. `path` is within the list of embeds. */
export interface MisplacedFile {
  readonly path: string
  readonly code: EmbedFault
}

/** The embeds with the files that they name, and the files that no embed shows; or what is wrong with a name. */
export type PlacedFiles =
  | { readonly faults: readonly [MisplacedFile, ...MisplacedFile[]] }
  | { readonly faults?: undefined; readonly embeds: readonly Embed[]; readonly others: readonly Attachment[] }

/** Gives embeds the files of the same message that they name as `attachment://<filename>`: pictures alone. One that has its file keeps it. */
export function placeFiles(embeds: readonly Embed[], attachments: readonly Attachment[]): PlacedFiles {
  const faults: MisplacedFile[] = []
  const placed = new Set<Attachment>()
  const found = (media: EmbedMedia | undefined, path: string): EmbedMedia | undefined => {
    if (media?.attachment) placed.add(media.attachment)
    if (!media?.url.startsWith(attachmentScheme) || media.attachment) return media
    const filename = media.url.slice(attachmentScheme.length)
    const attachment = attachments.find((each) => each.filename === filename)
    const code = faultOf(filename, attachment, attachments)
    if (code !== undefined) faults.push({ path, code })
    if (attachment) placed.add(attachment)
    return attachment ? { ...media, attachment } : media
  }
  const whole = embeds.map((embed, index): Embed => {
    const image = found(embed.image, `${index}.image.url`)
    const thumbnail = found(embed.thumbnail, `${index}.thumbnail.url`)
    return { ...embed, ...(image && { image }), ...(thumbnail && { thumbnail }) }
  })
  const [first, ...others] = faults
  if (first) return { faults: [first, ...others] }
  return { embeds: whole, others: attachments.filter((each) => !placed.has(each)) }
}

function faultOf(
  filename: string,
  attachment: Attachment | undefined,
  attachments: readonly Attachment[],
): EmbedFault | undefined {
  if (attachments.length === 0) return 'CANNOT_REFERENCE_ATTACHMENTS_WITHOUT_ATTACHMENTS'
  if (!attachment) return 'REFERENCED_ATTACHMENT_NOT_FOUND'
  return pictures.test(filename) ? undefined : 'ATTACHMENT_MUST_BE_IMAGE'
}

/** The files that a message holds: its own, and those that its embeds show. */
export function filesOf({
  embeds,
  attachments,
}: {
  readonly embeds: readonly Embed[]
  readonly attachments: readonly Attachment[]
}): readonly Attachment[] {
  const shown = embeds.flatMap(({ image, thumbnail }) => [image?.attachment ?? [], thumbnail?.attachment ?? []].flat())
  return [...new Map([...attachments, ...shown].map((each) => [each.id, each])).values()]
}
