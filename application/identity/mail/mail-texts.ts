import type { MailTemplate, MailValues } from '../../ports/mail.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** The readable text of a mail: a one-line subject, and paragraphs of plain text. */
export interface MailText {
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** What texts use besides their values. */
export interface MailSite {
  readonly serviceName: string
  /** A page of the web app that acts on a token. The token is in the fragment, which browsers never send to a server. */
  link(page: MailPage, token: string): string
  /** An instant as text, in UTC. */
  time(instant: Timestamp): string
}

export type MailPage = 'verify' | 'reset' | 'wasntme' | 'authorize-ip'

/** The texts of one language: one for each template. */
export type MailTexts = {
  readonly [Template in MailTemplate]: (values: MailValues[Template], site: MailSite) => MailText
}
