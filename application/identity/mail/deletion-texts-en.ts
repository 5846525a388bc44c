import type { DeletionNotice } from '../../ports/mail.ts'
import type { MailText, MailSite, MailTexts } from './mail-texts.ts'

const ended =
  'Subscriptions that were ended and refunded because of the deletion do not come back, and are not charged again. You can subscribe anew.'

/** The mails about a deletion that administrators schedule or cancel. */
export const englishDeletionTexts: Pick<MailTexts, DeletionNotice | 'account_deletion_cancelled'> = {
  account_deletion_scheduled_requested: (values, site) =>
    willBeDeleted(values, site, [
      `As you have asked, your account will be deleted on ${site.time(values.dueAt)}. Until then nobody can sign in to it.`,
    ]),
  account_deletion_scheduled_inactivity: (values, site) =>
    willBeDeleted(values, site, [
      `Your account has not been used for a long time. It will be deleted on ${site.time(values.dueAt)}. Until then nobody can sign in to it.`,
    ]),
  scheduled_deletion_notification: (values, site) =>
    willBeDeleted(values, site, [
      `The administrators of ${site.serviceName} have closed your account. It will be deleted on ${site.time(values.dueAt)}.`,
    ]),
  account_scheduled_deletion: (values, site) =>
    willBeDeleted(values, site, [
      `The administrators of ${site.serviceName} have closed your account because it broke the rules.`,
      `It will be deleted on ${site.time(values.dueAt)}. Until then nobody can sign in to it.`,
    ]),
  account_deletion_cancelled: ({ username, hasSubscriptions }, site) => ({
    subject: `Your ${site.serviceName} account will not be deleted`,
    paragraphs: [
      `Hello ${username},`,
      'The administrators have cancelled the deletion of your account. Unless something else keeps it closed, you can sign in again.',
      ...(hasSubscriptions === true ? [ended] : []),
      `Your ${site.serviceName}`,
    ],
  }),
}

interface Values {
  readonly username: string
  readonly publicReason: string | null
}

function willBeDeleted({ username, publicReason }: Values, site: MailSite, what: readonly string[]): MailText {
  return {
    subject: `Your ${site.serviceName} account will be deleted`,
    paragraphs: [
      `Hello ${username},`,
      ...what,
      ...(publicReason === null ? [] : [`The administrators say: ${publicReason}`]),
      'If you think that this is a mistake, write to the administrators before then. Signing in does not cancel it.',
      `Your ${site.serviceName}`,
    ],
  }
}
