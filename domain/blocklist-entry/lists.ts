/** The blocklists, by their names in paths. */
export const blocklists = [
  'ip',
  'email',
  'phrase',
  'url',
  'url-domain',
  'file-sha',
  'avatar-hash',
  'profile-substring',
] as const
export type Blocklist = (typeof blocklists)[number]

/** Where a profile-substring applies. All other lists have no scopes. */
export const profileScopes = ['username', 'global_name', 'nickname', 'bio', 'pronouns'] as const
export type ProfileScope = (typeof profileScopes)[number]

/** The source of an entry. */
export const entryCategories = [
  'manual',
  'urlhaus',
  'phishtank',
  'google_safe_browsing',
  'malware_bazaar',
  'ncmec',
  'gifct',
  'stop_ncii',
] as const
export type EntryCategory = (typeof entryCategories)[number]

/** The effect of a match. */
export const severities = { ALLOW: 0, WARN: 1, BLOCK: 2, BLOCK_AND_REPORT: 3 } as const
export type Severity = (typeof severities)[keyof typeof severities]

/** Whether a match is refused. ALLOW and WARN let it through. */
export function blocks(severity: Severity): boolean {
  return severity >= severities.BLOCK
}

/** The list's name in ACLs, audit actions and target types: with underscores. */
export function underscored<List extends Blocklist>(list: List) {
  return list.replace('-', '_') as List extends `${infer First}-${infer Second}` ? `${First}_${Second}` : List
}
