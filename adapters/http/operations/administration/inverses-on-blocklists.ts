import type { EntryDetails } from '../../../../domain/blocklist-entry/events.ts'
import { blocklists, type Blocklist } from '../../../../domain/blocklist-entry/lists.ts'
import type { Inverse, StepOn } from './inverse.ts'

type BlocklistStep = StepOn<'blocklist'>

/** The lists of which one request removes several values. */
const removedTogether: readonly Blocklist[] = ['avatar-hash', 'file-sha', 'profile-substring']

/** The operations on blocklists that take something back. */
export const blocklistInverseNames: readonly string[] = [
  ...blocklists.flatMap((list) => [
    `Add ${list} blocklist entry`,
    `Update ${list} blocklist entry`,
    `Remove ${list} blocklist entry`,
  ]),
  ...removedTogether.map((list) => `Remove ${list} blocklist entries`),
  'Add file-sha blocklist entries',
]

/** Gives the request that takes an act on a blocklist back. */
export function inverseOnBlocklist(step: BlocklistStep): Inverse {
  const { list, scope } = step
  const query = scope === null ? {} : { scope }
  switch (step.does) {
    case 'add':
      return {
        operation: addsByJob(step) ? 'Add file-sha blocklist entries' : `Add ${list} blocklist entry`,
        body: { ...valuesIn(list, step.values), ...(scope !== null && { scope }), ...membersOf(step.details) },
      }
    case 'change':
      return {
        operation: `Update ${list} blocklist entry`,
        params: { value: step.value },
        query,
        body: membersOf(step.changes),
      }
    case 'remove': {
      const [value] = step.values
      if (step.values.length === 1) return { operation: `Remove ${list} blocklist entry`, params: { value }, query }
      return { operation: `Remove ${list} blocklist entries`, body: { ...valuesIn(list, step.values), ...query } }
    }
  }
}

/** One request adds one hash of a file, a job many. */
function addsByJob({ list, values }: { readonly list: Blocklist; readonly values: readonly string[] }): boolean {
  return list === 'file-sha' && values.length > 1
}

function valuesIn(list: Blocklist, values: readonly string[]): object {
  const [value] = values
  switch (list) {
    case 'ip':
      return { ip: value }
    case 'email':
      return { email: value }
    case 'phrase':
      return { phrase: value }
    case 'url':
      return { url: value }
    case 'url-domain':
      return { domain: value }
    case 'file-sha':
      return values.length > 1 ? { hashes: values } : { sha256_hex: value }
    case 'avatar-hash':
      return { hashes: values }
    case 'profile-substring':
      return { substrings: values }
  }
}

/** The details as a body has them; what is undefined is left out. */
function membersOf(details: Partial<EntryDetails>): object {
  const { matchSubdomains, sourceUrl, contentType, ...same } = details
  const members = { ...same, match_subdomains: matchSubdomains, source_url: sourceUrl, content_type: contentType }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
