import type { DeletionNotice } from '../../ports/mail.ts'
import type { MailText, MailSite, MailTexts } from './mail-texts.ts'

const ended =
  'Abonnements, die wegen der Löschung beendet und erstattet wurden, kommen nicht zurück und werden nicht wieder berechnet. Du kannst neue abschließen.'

export const germanDeletionTexts: Pick<MailTexts, DeletionNotice | 'account_deletion_cancelled'> = {
  account_deletion_scheduled_requested: (values, site) =>
    willBeDeleted(values, site, [
      `wie du es gewünscht hast, wird dein Konto am ${site.time(values.dueAt)} gelöscht. Bis dahin kann sich niemand dort anmelden.`,
    ]),
  account_deletion_scheduled_inactivity: (values, site) =>
    willBeDeleted(values, site, [
      `dein Konto wurde lange nicht benutzt. Es wird am ${site.time(values.dueAt)} gelöscht. Bis dahin kann sich niemand dort anmelden.`,
    ]),
  scheduled_deletion_notification: (values, site) =>
    willBeDeleted(values, site, [
      `die Verwaltung von ${site.serviceName} hat dein Konto geschlossen. Es wird am ${site.time(values.dueAt)} gelöscht.`,
    ]),
  account_scheduled_deletion: (values, site) =>
    willBeDeleted(values, site, [
      `die Verwaltung von ${site.serviceName} hat dein Konto geschlossen, weil es gegen die Regeln verstoßen hat.`,
      `Es wird am ${site.time(values.dueAt)} gelöscht. Bis dahin kann sich niemand dort anmelden.`,
    ]),
  account_deletion_cancelled: ({ username, hasSubscriptions }, site) => ({
    subject: `Dein Konto bei ${site.serviceName} wird nicht gelöscht`,
    paragraphs: [
      `Hallo ${username},`,
      'die Verwaltung hat die Löschung deines Kontos zurückgenommen. Wenn nichts anderes es geschlossen hält, kannst du dich wieder anmelden.',
      ...(hasSubscriptions === true ? [ended] : []),
      `Dein ${site.serviceName}`,
    ],
  }),
}

interface Values {
  readonly username: string
  readonly publicReason: string | null
}

function willBeDeleted({ username, publicReason }: Values, site: MailSite, what: readonly string[]): MailText {
  return {
    subject: `Dein Konto bei ${site.serviceName} wird gelöscht`,
    paragraphs: [
      `Hallo ${username},`,
      ...what,
      ...(publicReason === null ? [] : [`Die Verwaltung schreibt dazu: ${publicReason}`]),
      'Wenn du das für einen Fehler hältst, schreib der Verwaltung vorher. Sich anzumelden nimmt die Löschung nicht zurück.',
      `Dein ${site.serviceName}`,
    ],
  }
}
