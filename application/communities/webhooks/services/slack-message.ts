import type { Embed } from '../../../../domain/messages/embeds.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { webAddress } from './web-address.ts'

/** A message in the form of Slack, as far as it is read. */
export interface SlackMessage {
  readonly text: string
  /** 1-80 characters; null for the webhook's own name. */
  readonly username: string | null
  /** Where the picture of the author is; anything but an address of the web counts as none. */
  readonly icon: string | null | undefined
  readonly attachments: readonly SlackAttachment[]
}

export interface SlackAttachment {
  readonly fallback?: string | null | undefined
  readonly pretext?: string | null | undefined
  readonly text?: string | null | undefined
  readonly color?: string | null | undefined
  readonly title?: string | null | undefined
  readonly title_link?: string | null | undefined
  readonly fields?: readonly SlackField[] | null | undefined
  readonly footer?: string | null | undefined
  /** Seconds since the Unix epoch. */
  readonly ts?: number | string | null | undefined
  readonly author_name?: string | null | undefined
  readonly author_link?: string | null | undefined
  readonly author_icon?: string | null | undefined
  readonly image_url?: string | null | undefined
  readonly thumb_url?: string | null | undefined
}

export interface SlackField {
  readonly title?: string | null | undefined
  readonly value?: string | null | undefined
  readonly short?: boolean | null | undefined
}

/** An attachment as an embed. Addresses and colours that are none, and fields of which a half is missing, are left out. */
export function slackEmbed(given: SlackAttachment): Embed {
  const description = descriptionOf(given)
  const url = webAddress(given.title_link)
  const image = webAddress(given.image_url)
  const thumbnail = webAddress(given.thumb_url)
  const sentAt = timeOf(given.ts)
  const fields = fieldsOf(given)
  return {
    ...(given.title ? { title: given.title } : {}),
    ...(description ? { description } : {}),
    ...(url === undefined ? {} : { url }),
    color: colorOf(given.color),
    ...(sentAt === undefined ? {} : { timestamp: sentAt }),
    ...(given.author_name ? { author: { name: given.author_name, ...authorLinks(given) } } : {}),
    ...(given.footer ? { footer: { text: given.footer } } : {}),
    ...(image === undefined ? {} : { image: { url: image } }),
    ...(thumbnail === undefined ? {} : { thumbnail: { url: thumbnail } }),
    ...(fields.length === 0 ? {} : { fields }),
  }
}

/** The text before, and the text; where there is neither, what stands for the whole. */
function descriptionOf({ pretext, text, fallback }: SlackAttachment): string | undefined {
  const said = [pretext, text].filter((part) => part !== undefined && part !== null && part !== '')
  return said.length > 0 ? said.join('\n') : (fallback ?? undefined)
}

function authorLinks({ author_link, author_icon }: SlackAttachment) {
  const [url, iconUrl] = [webAddress(author_link), webAddress(author_icon)]
  return { ...(url === undefined ? {} : { url }), ...(iconUrl === undefined ? {} : { iconUrl }) }
}

/** Six hexadecimal digits, with or without # before them; 0 for anything else. */
function colorOf(color: string | null | undefined): number {
  const digits = /^#?(?<hex>[0-9a-f]{6})$/i.exec(color ?? '')?.groups?.['hex']
  return digits === undefined ? 0 : Number.parseInt(digits, 16)
}

const seconds_max = 8_640_000_000_000

function timeOf(ts: number | string | null | undefined) {
  const seconds = Number(ts ?? Number.NaN)
  return Number.isFinite(seconds) && Math.abs(seconds) < seconds_max && ts !== ''
    ? timestamp(Math.trunc(seconds * 1000))
    : undefined
}

const fields_max = 25

function fieldsOf({ fields }: SlackAttachment) {
  const whole = (fields ?? []).flatMap(({ title, value, short }) =>
    title && value ? [{ name: title, value, inline: short === true }] : [],
  )
  return whole.slice(0, fields_max)
}
