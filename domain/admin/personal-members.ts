import type { AdminAcl } from './acls.ts'

/** Whom a personal member of an event may be shown: who may use an ACL, or nobody. */
export type ShownTo = AdminAcl | 'nobody'

/** By the name of the member. Names that mean something else in another category stand in `ofCategory`. */
const ofMember: Readonly<Record<string, ShownTo>> = {
  email: 'user:view:email',
  ip: 'user:view:ip',
  clientIp: 'user:view:ip',
  network: 'user:view:ip',
  userAgent: 'user:view:ip',
  dateOfBirth: 'user:view:dob',

  globalName: 'user:lookup',
  changes: 'user:lookup',
  traits: 'user:lookup',
  name: 'user:lookup',
  customStatus: 'user:lookup',
  syncedPreferences: 'user:lookup',
  textsBefore: 'user:lookup',
  textsAfter: 'user:lookup',
  nickname: 'user:list:relationships',

  timeoutReason: 'audit_log:view',
  reason: 'audit_log:view',
  reasonCode: 'audit_log:view',
  publicReason: 'audit_log:view',
  auditLogReason: 'audit_log:view',
  personalMetadata: 'audit_log:view',
  personalReason: 'audit_log:view',

  // Secrets, and what they could be guessed from.
  passwordHash: 'nobody',
  secret: 'nobody',
  codes: 'nobody',
  keyHash: 'nobody',
  token: 'nobody',
  storeKey: 'nobody',
  secrets: 'nobody',
}

const ofCategory: Readonly<Record<string, Readonly<Record<string, ShownTo>>>> = {
  private_channel: { name: 'user:list:dm_channels', nick: 'user:list:dm_channels' },
  report: {
    additionalInfo: 'report:view',
    profile: 'report:view',
    messages: 'report:view',
    publicComment: 'report:view',
  },
}

/** The reason that an act was given, where it is personal. */
export const reasonShownTo: ShownTo = 'audit_log:view'

/** To whom a personal member of a category's events may be shown (rules/administration#history). */
export function shownTo(category: string, member: string): ShownTo {
  return ofCategory[category]?.[member] ?? ofMember[member] ?? 'nobody'
}
