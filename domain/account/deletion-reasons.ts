/** Why an account is deleted: the codes that operations of administrators take. */
export const deletionReasons = {
  USER_REQUESTED: 1,
  OTHER: 2,
  SPAM: 3,
  CHEATING_OR_EXPLOITATION: 4,
  COORDINATED_RAIDING: 5,
  AUTOMATION_OR_SELFBOT: 6,
  NONCONSENSUAL_SEXUAL_CONTENT: 7,
  SCAM_OR_SOCIAL_ENGINEERING: 8,
  CHILD_SEXUAL_CONTENT: 9,
  PRIVACY_VIOLATION_OR_DOXXING: 10,
  HARASSMENT_OR_BULLYING: 11,
  PAYMENT_FRAUD: 12,
  CHILD_SAFETY_VIOLATION: 13,
  BILLING_DISPUTE_OR_ABUSE: 14,
  UNSOLICITED_EXPLICIT_CONTENT: 15,
  GRAPHIC_VIOLENCE: 16,
  BAN_EVASION: 17,
  TOKEN_OR_CREDENTIAL_SCAM: 18,
  INACTIVITY: 19,
  HATE_SPEECH_OR_EXTREMIST_CONTENT: 20,
  MALICIOUS_LINKS_OR_MALWARE: 21,
  IMPERSONATION_OR_FAKE_IDENTITY: 22,
} as const

/**
 * The least delay of a deletion that an administrator schedules, in days: two weeks where the holder asked for it, 60
 * days otherwise.
 */
export function minimumDelay_days(reasonCode: number): number {
  return reasonCode === deletionReasons.USER_REQUESTED ? 14 : 60
}

/** The registry's name of a code; the code itself for one that it does not have. */
export function deletionReasonName(code: number): string {
  return names.get(code) ?? String(code)
}

const names: ReadonlyMap<number, string> = new Map(Object.entries(deletionReasons).map(([name, code]) => [code, name]))

/** The reasons that resolve the pending reports against the account. */
const resolving: ReadonlySet<number> = new Set([
  deletionReasons.SPAM,
  deletionReasons.CHEATING_OR_EXPLOITATION,
  deletionReasons.COORDINATED_RAIDING,
  deletionReasons.AUTOMATION_OR_SELFBOT,
  deletionReasons.SCAM_OR_SOCIAL_ENGINEERING,
  deletionReasons.HARASSMENT_OR_BULLYING,
  deletionReasons.BAN_EVASION,
  deletionReasons.TOKEN_OR_CREDENTIAL_SCAM,
  deletionReasons.HATE_SPEECH_OR_EXTREMIST_CONTENT,
  deletionReasons.MALICIOUS_LINKS_OR_MALWARE,
  deletionReasons.IMPERSONATION_OR_FAKE_IDENTITY,
])

export function resolvesReports(reasonCode: number): boolean {
  return resolving.has(reasonCode)
}

/** Whether the account's identifiers are blocklisted: for every reason except USER_REQUESTED. */
export function blocklistsIdentifiers(reasonCode: number): boolean {
  return reasonCode !== deletionReasons.USER_REQUESTED
}

/** The code of a name of the registry, in any case; undefined for another name. */
export function deletionReasonCode(name: string): number | undefined {
  return Object.entries(deletionReasons).find(([known]) => known === name.toUpperCase())?.[1]
}
