import { msOf } from '../../../domain/kernel/timestamp.js'
import { languageOf, type Language } from '../../../domain/text/languages.js'
import type { Letter, LetterOf, MailTemplate } from '../../ports/mail.js'
import type { MailSite, MailText, MailTexts } from './mail-texts.js'
import { germanTexts } from './texts-de.js'
import { englishTexts } from './texts-en.js'

/** What a mail says of the instance that sends it. */
export interface MailInstance {
  readonly serviceName: string
  /** What links begin with, without a slash at the end. */
  readonly publicUrl: string
}

export interface RenderedMail {
  /** One line. */
  readonly subject: string
  /** Plain text, paragraphs apart by an empty line. */
  readonly text: string
}

/** The longest paragraph: one that is longer holds a value of somebody else's making, and is cut off. */
export const paragraph_characters_max = 1000

const textsIn: Readonly<Record<Language, MailTexts>> = { en: englishTexts, de: germanTexts }

/**
 * Writes a letter in its locale, or in en-US where there are no texts for it. No value begins a new line, nor turns the
 * direction of what follows: what it holds of that kind becomes a space.
 */
export function renderMail(letter: Letter, instance: MailInstance): RenderedMail {
  const language = languageOf(letter.locale)
  // Times are written as those write them whose language it is.
  const locale = letter.locale.startsWith(language) ? letter.locale : 'en-US'
  const { subject, paragraphs } = textOf(letter, textsIn[language], siteOf(instance, locale))
  return { subject: plain(subject), text: `${paragraphs.map(plain).join('\n\n')}\n` }
}

function textOf<Template extends MailTemplate>(
  { template, values }: LetterOf<Template>,
  texts: MailTexts,
  site: MailSite,
): MailText {
  return texts[template](values, site)
}

function siteOf({ serviceName, publicUrl }: MailInstance, locale: string): MailSite {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return {
    serviceName,
    link: (page, token) => `${publicUrl}/${page}#token=${encodeURIComponent(token)}`,
    time: (instant) => `${format.format(msOf(instant))} UTC`,
  }
}

/** One line without control characters, line separators and invisible formatting. */
function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return Array.from(line).slice(0, paragraph_characters_max).join('')
}
