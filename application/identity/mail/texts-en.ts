import { englishDeletionTexts } from './deletion-texts-en.ts'
import type { MailSite, MailTexts } from './mail-texts.ts'

/** For British and American readers alike, and for every language without its own texts. */
export const englishTexts: MailTexts = {
  email_verification: ({ username, token }, site) => ({
    subject: `Verify your e-mail address for ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'Please verify that this is your e-mail address. The link works for 24 hours:',
      site.link('verify', token),
      'If you have no account here, somebody has mistaken your address for theirs: you can ignore this mail.',
      regards(site),
    ],
  }),
  password_reset: ({ username, token }, site) => ({
    subject: `Reset your ${site.serviceName} password`,
    paragraphs: [
      hello(username),
      'Somebody, we hope you, has asked to reset your password. You can choose a new one within one hour:',
      site.link('reset', token),
      'If it was not you, ignore this mail: your password stays as it is.',
      regards(site),
    ],
  }),
  email_revert: ({ username, newEmail, token }, site) => ({
    subject: `Your ${site.serviceName} e-mail address was changed`,
    paragraphs: [
      hello(username),
      `The e-mail address of your account is now ${newEmail}.`,
      'If it was not you who changed it, take it back within 24 hours. You will choose a new password, and all devices will be signed out:',
      site.link('wasntme', token),
      'If it was you, there is nothing left to do.',
      regards(site),
    ],
  }),
  email_change_original: ({ username, code }, site) => ({
    subject: `Your code to change your ${site.serviceName} e-mail address`,
    paragraphs: [
      hello(username),
      'You want to give your account another e-mail address. This code proves that you can read the present one:',
      code,
      codeEnds,
      'If it was not you, do not give the code to anybody, and change your password.',
      regards(site),
    ],
  }),
  email_change_new: ({ username, code }, site) => ({
    subject: `Your code to confirm this e-mail address for ${site.serviceName}`,
    paragraphs: [
      hello(username),
      'This is to become the e-mail address of your account. This code confirms it:',
      code,
      codeEnds,
      'If you have not asked for it, you can ignore this mail.',
      regards(site),
    ],
  }),
  password_change: ({ username, code }, site) => ({
    subject: `Your code to change your ${site.serviceName} password`,
    paragraphs: [
      hello(username),
      'You want to change your password. This code proves that it is you:',
      code,
      codeEnds,
      'If it was not you, do not give the code to anybody: somebody else is signed in to your account.',
      regards(site),
    ],
  }),
  backup_codes: ({ username, code }, site) => ({
    subject: `Your code to see your ${site.serviceName} backup codes`,
    paragraphs: [
      hello(username),
      'You want to see the backup codes of your account. This code proves that it is you:',
      code,
      codeEnds,
      'If it was not you, do not give the code to anybody: somebody else is signed in to your account.',
      regards(site),
    ],
  }),
  ip_authorization: ({ username, ip, userAgent, token }, site) => ({
    subject: `A sign-in to ${site.serviceName} from a new place`,
    paragraphs: [
      hello(username),
      `Somebody has signed in to your account with the right password from the address ${ip}, which we do not know yet.`,
      ...(userAgent === null ? [] : [`Their device calls itself: ${userAgent}`]),
      'If it was you, let that device in within 15 minutes:',
      site.link('authorize-ip', token),
      'If it was not you, leave the link alone and change your password: somebody else knows it.',
      regards(site),
    ],
  }),
  account_deletion_scheduled: ({ username, dueAt }, site) => ({
    subject: `Your ${site.serviceName} account will be deleted`,
    paragraphs: [
      hello(username),
      `As you have wished, your account will be deleted on ${site.time(dueAt)}.`,
      'If you change your mind, or if it was not you, sign in before then: that cancels the deletion.',
      regards(site),
    ],
  }),
  ...englishDeletionTexts,
  password_changed: ({ username, at }, site) => ({
    subject: `Your ${site.serviceName} password was changed`,
    paragraphs: [
      hello(username),
      `The password of your account was changed on ${site.time(at)}, and all other devices were signed out.`,
      'If it was not you, reset your password at once: somebody else has changed it.',
      regards(site),
    ],
  }),
  new_sign_in: ({ username, at, ip, userAgent }, site) => ({
    subject: `A sign-in to ${site.serviceName} from a new network`,
    paragraphs: [
      hello(username),
      `Somebody signed in to your account on ${site.time(at)} from the address ${ip}, where it was not used before.`,
      ...(userAgent === null ? [] : [`Their device calls itself: ${userAgent}`]),
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  passkey_registered: ({ username, at, name }, site) => ({
    subject: `A new passkey for your ${site.serviceName} account`,
    paragraphs: [
      hello(username),
      `The passkey “${name}” was added to your account on ${site.time(at)}. Whoever holds it can sign in.`,
      itWasYou,
      'If it was not you, remove the passkey, change your password and sign out everywhere.',
      regards(site),
    ],
  }),
  totp_enabled: ({ username, at }, site) => ({
    subject: `Your ${site.serviceName} account now asks for an authenticator code`,
    paragraphs: [
      hello(username),
      `An authenticator app was set up for your account on ${site.time(at)}. Signing in asks for its codes from now on.`,
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  totp_disabled: ({ username, at }, site) => ({
    subject: `Your ${site.serviceName} account no longer asks for an authenticator code`,
    paragraphs: [
      hello(username),
      `The authenticator app of your account was turned off on ${site.time(at)}. Signing in no longer asks for its codes.`,
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  backup_codes_replaced: ({ username, at }, site) => ({
    subject: `New backup codes for your ${site.serviceName} account`,
    paragraphs: [
      hello(username),
      `The backup codes of your account were replaced on ${site.time(at)}. The earlier ones no longer work.`,
      itWasYou,
      takeItBack,
      regards(site),
    ],
  }),
  admin_key_created: ({ username, at, name }, site) => ({
    subject: `A new Admin key for your ${site.serviceName} account`,
    paragraphs: [
      hello(username),
      `The Admin key “${name}” was made by your account on ${site.time(at)}. Whoever holds it can administer the service in your name.`,
      itWasYou,
      'If it was not you, delete the key, change your password and sign out everywhere.',
      regards(site),
    ],
  }),
  account_banned: ({ username, duration_hours, until, reason }, site) => ({
    subject: `Your ${site.serviceName} account is suspended`,
    paragraphs: [
      hello(username),
      `Your account is suspended for ${hours(duration_hours)}, until ${site.time(until)}. All your devices were signed out, and you cannot sign in before then.`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
      regards(site),
    ],
  }),
  account_ban_lifted: ({ username, reason }, site) => ({
    subject: `Your ${site.serviceName} account is no longer suspended`,
    paragraphs: [
      hello(username),
      'The suspension of your account was lifted. You can sign in again.',
      ...(reason === null ? [] : [`The reason: ${reason}`]),
      regards(site),
    ],
  }),
  report_resolved: ({ username, publicComment }, site) => ({
    subject: `Your report to ${site.serviceName} was looked into`,
    paragraphs: [
      hello(username),
      'Thank you for your report. An administrator has looked into it, and the report is now closed.',
      ...(publicComment === null ? [] : [`The administrator writes: ${publicComment}`]),
      regards(site),
    ],
  }),
}

const codeEnds = 'It can be used for 10 minutes.'
const hours = (count: number): string => (count === 1 ? 'one hour' : `${count} hours`)
const hello = (username: string): string => `Hello ${username},`
const regards = ({ serviceName }: MailSite): string => `Your ${serviceName}`
const itWasYou = 'If it was you, there is nothing left to do.'
const takeItBack =
  'If it was not you, change your password at once and sign out everywhere: somebody else is in your account.'
