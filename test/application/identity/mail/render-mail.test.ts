import { describe, expect, it } from 'vitest'
import { paragraph_characters_max, renderMail } from '../../../../application/identity/mail/render-mail.ts'
import type { Letter, MailValues } from '../../../../application/ports/mail.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'

const instance = { serviceName: 'guildhall', webappUrl: 'https://chat.example.com' }
const at = timestamp(Date.UTC(2026, 2, 5, 14, 30))

/** One letter of every template; the compiler reports a missing one. */
const values: MailValues = {
  email_verification: { username: 'ada', token: 'TOKEN' },
  password_reset: { username: 'ada', token: 'TOKEN' },
  email_revert: { username: 'ada', newEmail: 'new@example.com', token: 'TOKEN' },
  email_change_original: { username: 'ada', code: 'ABCD-1234' },
  email_change_new: { username: 'ada', code: 'ABCD-1234' },
  password_change: { username: 'ada', code: 'ABCD-1234' },
  backup_codes: { username: 'ada', code: 'ABCD-1234' },
  ip_authorization: { username: 'ada', ip: '192.0.2.7', userAgent: 'Some browser', token: 'TOKEN' },
  account_deletion_scheduled: { username: 'ada', dueAt: at },
  account_deletion_scheduled_requested: { username: 'ada', dueAt: at, publicReason: 'You asked us to.' },
  account_deletion_scheduled_inactivity: { username: 'ada', dueAt: at, publicReason: 'Five years.' },
  scheduled_deletion_notification: { username: 'ada', dueAt: at, publicReason: 'See the terms.' },
  account_scheduled_deletion: { username: 'ada', dueAt: at, publicReason: 'Spam in three guilds.' },
  account_deletion_cancelled: { username: 'ada' },
  password_changed: { username: 'ada', at },
  new_sign_in: { username: 'ada', at, ip: '192.0.2.7', userAgent: 'Some browser' },
  passkey_registered: { username: 'ada', at, name: 'My key' },
  totp_enabled: { username: 'ada', at },
  totp_disabled: { username: 'ada', at },
  backup_codes_replaced: { username: 'ada', at },
  admin_key_created: { username: 'ada', at, name: 'My key' },
  account_banned: { username: 'ada', duration_hours: 36, until: at, reason: 'Spam in #general' },
  account_ban_lifted: { username: 'ada', reason: 'A mistake of ours' },
  report_resolved: { username: 'ada', publicComment: 'We have removed it.' },
}
const templates = Object.keys(values) as (keyof MailValues)[]
const letterOf = (template: keyof MailValues, locale: string): Letter =>
  ({ to: 'ada@example.com', template, values: values[template], locale, key: 'k' }) as Letter

/** What a mail must contain besides the name of its reader. */
const told: Readonly<Record<keyof MailValues, readonly string[]>> = {
  email_verification: ['https://chat.example.com/verify#token=TOKEN'],
  password_reset: ['https://chat.example.com/reset#token=TOKEN'],
  email_revert: ['https://chat.example.com/wasntme#token=TOKEN', 'new@example.com'],
  email_change_original: ['ABCD-1234'],
  email_change_new: ['ABCD-1234'],
  password_change: ['ABCD-1234'],
  backup_codes: ['ABCD-1234'],
  ip_authorization: ['https://chat.example.com/authorize-ip#token=TOKEN', '192.0.2.7', 'Some browser'],
  account_deletion_scheduled: ['2026', '14:30', 'UTC'],
  account_deletion_scheduled_requested: ['2026', '14:30', 'UTC', 'You asked us to.'],
  account_deletion_scheduled_inactivity: ['2026', '14:30', 'UTC', 'Five years.'],
  scheduled_deletion_notification: ['2026', '14:30', 'UTC', 'See the terms.'],
  account_scheduled_deletion: ['2026', '14:30', 'UTC', 'Spam in three guilds.'],
  account_deletion_cancelled: [],
  password_changed: ['2026', '14:30', 'UTC'],
  new_sign_in: ['2026', '14:30', 'UTC', '192.0.2.7', 'Some browser'],
  passkey_registered: ['2026', '14:30', 'UTC', 'My key'],
  totp_enabled: ['2026', '14:30', 'UTC'],
  totp_disabled: ['2026', '14:30', 'UTC'],
  backup_codes_replaced: ['2026', '14:30', 'UTC'],
  admin_key_created: ['2026', '14:30', 'UTC', 'My key'],
  account_banned: ['36', '2026', '14:30', 'UTC', 'Spam in #general'],
  account_ban_lifted: ['A mistake of ours'],
  report_resolved: ['We have removed it.'],
}

describe('a rendered mail', () => {
  it.each(templates.flatMap((template) => ['en-GB', 'de'].map((locale) => [template, locale] as const)))(
    'of %s in %s tells its reader what it is for, and leaves no placeholder',
    (template, locale) => {
      const { subject, text } = renderMail(letterOf(template, locale), instance)
      for (const part of ['ada', 'guildhall', ...told[template]]) expect(text).toContain(part)
      expect(subject).toContain('guildhall')
      expect(subject + text).not.toMatch(/undefined|null|\$\{|\[object/)
      expect(text).toMatch(/^(?:Hello|Hallo) ada,\n\n/)
      expect(text.endsWith('guildhall\n')).toBe(true)
    },
  )
  it('says nothing of a public reason that was not given', () => {
    const given = { username: 'ada', dueAt: at, publicReason: null }
    const letter = { ...letterOf('account_scheduled_deletion', 'en-US'), values: given } as Letter
    expect(renderMail(letter, instance).text).not.toMatch(/null|say/)
  })
  it('never shows a code or token in its subject, which appears on a locked screen', () => {
    for (const template of templates) {
      expect(renderMail(letterOf(template, 'en-US'), instance).subject).not.toMatch(/TOKEN|ABCD/)
    }
  })
  it('has another text in German, for every template', () => {
    for (const template of templates) {
      const [english, german] = ['en-US', 'de'].map((locale) => renderMail(letterOf(template, locale), instance))
      expect(german?.subject).not.toBe(english?.subject)
      expect(german?.text).not.toBe(english?.text)
    }
  })
  it.each(['fr', 'zh-TW', '', 'x-klingon', 'constructor'])('is in en-US if there are no texts for %j', (locale) => {
    const letter = letterOf('password_changed', locale)
    expect(renderMail(letter, instance)).toEqual(renderMail({ ...letter, locale: 'en-US' }, instance))
  })
  it('writes instants in the style of the locale', () => {
    const text = (locale: string): string => renderMail(letterOf('password_changed', locale), instance).text
    expect(text('en-GB')).toContain('5 March 2026')
    expect(text('en-US')).toContain('March 5, 2026')
    expect(text('de')).toContain('5. März 2026')
  })
  it('leaves the device out if it is unknown', () => {
    const letter = letterOf('ip_authorization', 'en-US')
    const { text } = renderMail({ ...letter, values: { ...letter.values, userAgent: null } } as Letter, instance)
    expect(text).not.toContain('device calls itself')
  })
  it.each(['account_banned', 'account_ban_lifted'] as const)(
    'of %s leaves the reason out if none was given',
    (template) => {
      for (const locale of ['en-US', 'de']) {
        const letter = letterOf(template, locale)
        const { text } = renderMail({ ...letter, values: { ...letter.values, reason: null } } as Letter, instance)
        expect(text).not.toMatch(/reason|Grund|null/)
      }
    },
  )
  it('contains no line break, control character or text direction from a value, and cuts what is too long', () => {
    const userAgent = `a\r\nb\u2028c\u0000d\u202ee\u0085f ${'😀'.repeat(2000)}`
    const letter = letterOf('ip_authorization', 'en-US')
    const { text } = renderMail({ ...letter, values: { ...letter.values, userAgent } } as Letter, instance)
    const line = text.split('\n').find((one) => one.startsWith('Their device'))
    expect(line).toMatch(/^Their device calls itself: a b c d e f 😀+$/u)
    expect(Array.from(line ?? '')).toHaveLength(paragraph_characters_max)
    expect(text.split('\n\n')).toHaveLength(7)
  })
  it('has a token in a link unchanged, whatever its characters', () => {
    const token = 'a b&c#d/é'
    const { text } = renderMail(
      { ...letterOf('password_reset', 'en-US'), values: { username: 'ada', token } } as Letter,
      instance,
    )
    expect(text).toContain('/reset#token=a%20b%26c%23d%2F%C3%A9\n')
  })
})
