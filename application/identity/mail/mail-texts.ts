import type { MailTemplate, MailValues } from '../../ports/mail.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** A mail as it is read: one line, and paragraphs of plain text. */
export interface MailText {
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** What texts say beside their values. */
export interface MailSite {
  readonly serviceName: string
  /** A page of the web app that acts on a token, which stands in the fragment: browsers never send that to a server. */
  link(page: MailPage, token: string): string
  /** An instant in words, in UTC. */
  time(instant: Timestamp): string
}

export type MailPage = 'verify' | 'reset' | 'wasntme' | 'authorize-ip'

/** The texts of one language: one for every template. */
export type MailTexts = {
  readonly [Template in MailTemplate]: (values: MailValues[Template], site: MailSite) => MailText
}
