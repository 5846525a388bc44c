import { germanDeletionTexts } from './deletion-texts-de.ts'
import type { MailSite, MailTexts } from './mail-texts.ts'

export const germanTexts: MailTexts = {
  email_verification: ({ username, token }, site) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'bitte bestätige, dass dies deine E-Mail-Adresse ist. Der Link gilt 24 Stunden:',
      site.link('verify', token),
      'Wenn du hier kein Konto hast, hat jemand deine Adresse mit seiner verwechselt: Dann kannst du diese Mail ignorieren.',
      regards(site),
    ],
  }),
  password_reset: ({ username, token }, site) => ({
    subject: `Setze dein Passwort für ${site.serviceName} zurück`,
    paragraphs: [
      hello(username),
      'jemand, hoffentlich du, möchte dein Passwort zurücksetzen. Innerhalb einer Stunde kannst du hier ein neues wählen:',
      site.link('reset', token),
      'Wenn du das nicht warst, ignoriere diese Mail: Dein Passwort bleibt, wie es ist.',
      regards(site),
    ],
  }),
  email_revert: ({ username, newEmail, token }, site) => ({
    subject: `Deine E-Mail-Adresse für ${site.serviceName} wurde geändert`,
    paragraphs: [
      hello(username),
      `die E-Mail-Adresse deines Kontos ist jetzt ${newEmail}.`,
      'Wenn du sie nicht geändert hast, nimm die Änderung innerhalb von 24 Stunden zurück. Du wählst dabei ein neues Passwort, und alle Geräte werden abgemeldet:',
      site.link('wasntme', token),
      'Wenn du es warst, ist nichts weiter zu tun.',
      regards(site),
    ],
  }),
  email_change_original: ({ username, code }, site) => ({
    subject: `Dein Code zum Ändern deiner E-Mail-Adresse für ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'du möchtest deinem Konto eine andere E-Mail-Adresse geben. Dieser Code belegt, dass du die jetzige lesen kannst:',
      code,
      codeEnds,
      'Wenn du das nicht warst, gib den Code niemandem und ändere dein Passwort.',
      regards(site),
    ],
  }),
  email_change_new: ({ username, code }, site) => ({
    subject: `Dein Code zum Bestätigen dieser E-Mail-Adresse für ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'dies soll die E-Mail-Adresse deines Kontos werden. Dieser Code bestätigt sie:',
      code,
      codeEnds,
      'Wenn du nicht darum gebeten hast, kannst du diese Mail ignorieren.',
      regards(site),
    ],
  }),
  password_change: ({ username, code }, site) => ({
    subject: `Dein Code zum Ändern deines Passworts für ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'du möchtest dein Passwort ändern. Dieser Code belegt, dass du es bist:',
      code,
      codeEnds,
      'Wenn du das nicht warst, gib den Code niemandem: Jemand anderes ist in deinem Konto angemeldet.',
      regards(site),
    ],
  }),
  backup_codes: ({ username, code }, site) => ({
    subject: `Dein Code für die Backup-Codes von ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'du möchtest die Backup-Codes deines Kontos sehen. Dieser Code belegt, dass du es bist:',
      code,
      codeEnds,
      'Wenn du das nicht warst, gib den Code niemandem: Jemand anderes ist in deinem Konto angemeldet.',
      regards(site),
    ],
  }),
  ip_authorization: ({ username, ip, userAgent, token }, site) => ({
    subject: `Eine Anmeldung bei ${site.serviceName} von einem neuen Ort`,
    paragraphs: [
      hello(username),
      `jemand hat sich mit dem richtigen Passwort in deinem Konto angemeldet, von der Adresse ${ip}, die wir noch nicht kennen.`,
      ...(userAgent === null ? [] : [`Das Gerät nennt sich: ${userAgent}`]),
      'Wenn du das warst, lass das Gerät innerhalb von 15 Minuten herein:',
      site.link('authorize-ip', token),
      'Wenn du das nicht warst, rühre den Link nicht an und ändere dein Passwort: Jemand anderes kennt es.',
      regards(site),
    ],
  }),
  account_deletion_scheduled: ({ username, dueAt }, site) => ({
    subject: `Dein Konto bei ${site.serviceName} wird gelöscht`,
    paragraphs: [
      hello(username),
      `wie du es wünschst, wird dein Konto am ${site.time(dueAt)} gelöscht.`,
      'Wenn du es dir anders überlegst oder es nicht warst, melde dich vorher an: Das nimmt die Löschung zurück.',
      regards(site),
    ],
  }),
  ...germanDeletionTexts,
  password_changed: ({ username, at }, site) => ({
    subject: `Dein Passwort für ${site.serviceName} wurde geändert`,
    paragraphs: [
      hello(username),
      `das Passwort deines Kontos wurde am ${site.time(at)} geändert, und alle anderen Geräte wurden abgemeldet.`,
      'Wenn du das nicht warst, setze dein Passwort sofort zurück: Jemand anderes hat es geändert.',
      regards(site),
    ],
  }),
  new_sign_in: ({ username, at, ip, userAgent }, site) => ({
    subject: `Eine Anmeldung bei ${site.serviceName} aus einem neuen Netz`,
    paragraphs: [
      hello(username),
      `jemand hat sich am ${site.time(at)} in deinem Konto angemeldet, von der Adresse ${ip}, an der es noch nicht benutzt wurde.`,
      ...(userAgent === null ? [] : [`Das Gerät nennt sich: ${userAgent}`]),
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  passkey_registered: ({ username, at, name }, site) => ({
    subject: `Ein neuer Passkey für dein Konto bei ${site.serviceName}`,
    paragraphs: [
      hello(username),
      `der Passkey „${name}“ wurde deinem Konto am ${site.time(at)} hinzugefügt. Wer ihn hat, kann sich anmelden.`,
      itWasYou,
      'Wenn du das nicht warst, entferne den Passkey, ändere dein Passwort und melde dich überall ab.',
      regards(site),
    ],
  }),
  totp_enabled: ({ username, at }, site) => ({
    subject: `Dein Konto bei ${site.serviceName} fragt jetzt nach Codes deiner Authenticator-App`,
    paragraphs: [
      hello(username),
      `für dein Konto wurde am ${site.time(at)} eine Authenticator-App eingerichtet. Beim Anmelden wird ab jetzt nach ihren Codes gefragt.`,
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  totp_disabled: ({ username, at }, site) => ({
    subject: `Dein Konto bei ${site.serviceName} fragt nicht mehr nach Codes deiner Authenticator-App`,
    paragraphs: [
      hello(username),
      `die Authenticator-App deines Kontos wurde am ${site.time(at)} abgeschaltet. Beim Anmelden wird nicht mehr nach ihren Codes gefragt.`,
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  backup_codes_replaced: ({ username, at }, site) => ({
    subject: `Neue Backup-Codes für dein Konto bei ${site.serviceName}`,
    paragraphs: [
      hello(username),
      `die Backup-Codes deines Kontos wurden am ${site.time(at)} ersetzt. Die bisherigen gelten nicht mehr.`,
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  admin_key_created: ({ username, at, name }, site) => ({
    subject: `Ein neuer Admin-Schlüssel für dein Konto bei ${site.serviceName}`,
    paragraphs: [
      hello(username),
      `dein Konto hat am ${site.time(at)} den Admin-Schlüssel „${name}“ erstellt. Wer ihn hat, kann den Dienst in deinem Namen verwalten.`,
      itWasYou,
      'Wenn du das nicht warst, lösche den Schlüssel, ändere dein Passwort und melde dich überall ab.',
      regards(site),
    ],
  }),
  account_banned: ({ username, duration_hours, until, reason }, site) => ({
    subject: `Dein Konto bei ${site.serviceName} ist gesperrt`,
    paragraphs: [
      hello(username),
      `dein Konto ist für ${hours(duration_hours)} gesperrt, bis ${site.time(until)}. Alle Geräte wurden abgemeldet, und bis dahin kannst du dich nicht anmelden.`,
      ...(reason === null ? [] : [`Der Grund: ${reason}`]),
      regards(site),
    ],
  }),
  account_ban_lifted: ({ username, reason }, site) => ({
    subject: `Dein Konto bei ${site.serviceName} ist nicht mehr gesperrt`,
    paragraphs: [
      hello(username),
      'die Sperre deines Kontos wurde aufgehoben. Du kannst dich wieder anmelden.',
      ...(reason === null ? [] : [`Der Grund: ${reason}`]),
      regards(site),
    ],
  }),
  report_resolved: ({ username, publicComment }, site) => ({
    subject: `Deine Meldung bei ${site.serviceName} wurde geprüft`,
    paragraphs: [
      hello(username),
      'danke für deine Meldung. Die Verwaltung hat sie geprüft, und die Meldung ist jetzt abgeschlossen.',
      ...(publicComment === null ? [] : [`Die Verwaltung schreibt dazu: ${publicComment}`]),
      regards(site),
    ],
  }),
}

const codeEnds = 'Er gilt 10 Minuten.'
const hours = (count: number): string => (count === 1 ? 'eine Stunde' : `${count} Stunden`)
const hello = (username: string): string => `Hallo ${username},`
const regards = ({ serviceName }: MailSite): string => `Dein ${serviceName}`
const itWasYou = 'Wenn du das warst, ist nichts weiter zu tun.'
const takeItBack =
  'Wenn du das nicht warst, ändere sofort dein Passwort und melde dich überall ab: Jemand anderes ist in deinem Konto.'
