/** What can be reported, as numbered on the wire. An invite is reported as the guild that it leads to. */
export const reportTypes = { message: 0, user: 1, guild: 2 } as const
export type ReportKind = keyof typeof reportTypes

/** Why each kind can be reported. */
export const reportCategories = {
  message: [
    'harassment',
    'hate_speech',
    'violent_content',
    'spam',
    'nsfw_violation',
    'illegal_activity',
    'doxxing',
    'self_harm',
    'child_safety',
    'malicious_links',
    'impersonation',
    'other',
  ],
  user: [
    'harassment',
    'hate_speech',
    'spam_account',
    'impersonation',
    'underage_user',
    'inappropriate_profile',
    'other',
  ],
  guild: [
    'harassment',
    'hate_speech',
    'extremist_community',
    'illegal_activity',
    'child_safety',
    'raid_coordination',
    'spam',
    'malware_distribution',
    'other',
  ],
} as const satisfies Readonly<Record<ReportKind, readonly string[]>>

export type ReportCategory = (typeof reportCategories)[ReportKind][number]

/** Reports of these stay pending when the deletion of the account is scheduled. */
export const protectedCategories = [
  'child_safety',
  'underage_user',
  'self_harm',
] as const satisfies readonly ReportCategory[]
