import { msOf } from '../../../domain/kernel/timestamp.ts'
import { languageOf, type Language } from '../../../domain/text/languages.ts'
import type { Letter, LetterOf, MailTemplate } from '../../ports/mail.ts'
import type { MailSite, MailText, MailTexts } from './mail-texts.ts'
import { germanTexts } from './texts-de.ts'
import { englishTexts } from './texts-en.ts'

/** What mails show of the instance. */
export interface MailInstance {
  readonly serviceName: string
  /** The base of links, without a slash at the end. */
  readonly webappUrl: string
}

export interface RenderedMail {
  /** One line. */
  readonly subject: string
  /** Plain text, with an empty line between paragraphs. */
  readonly text: string
}

/** The maximum length of a paragraph. A longer one contains a value that somebody else wrote, and is cut. */
export const paragraph_characters_max = 1000

const textsIn: Readonly<Record<Language, MailTexts>> = { en: englishTexts, de: germanTexts }

/**
 * Renders a letter in its locale, or in en-US if there are no texts for it. In values, line breaks and marks that change the
 * text's direction become spaces.
 */
export function renderMail(letter: Letter, instance: MailInstance): RenderedMail {
  const language = languageOf(letter.locale)
  // Times are formatted by the locale if the texts are in its language.
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

function siteOf({ serviceName, webappUrl }: MailInstance, locale: string): MailSite {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return {
    serviceName,
    link: (page, token) => `${webappUrl}/${page}#token=${encodeURIComponent(token)}`,
    time: (instant) => `${format.format(msOf(instant))} UTC`,
  }
}

/** One line, without control characters, line separators and invisible formatting. */
function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return Array.from(line).slice(0, paragraph_characters_max).join('')
}
