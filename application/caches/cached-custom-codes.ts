import { inviteCode, type InviteCode } from '../../domain/ids/ids.ts'
import { idOf } from '../../domain/streams.ts'
import { randomCodeLength } from '../../domain/text/normalise.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { InviteQueries } from '../ports/queries/invite-queries.ts'
import type { Cache } from './cache.ts'
import type { Heard } from './heard-events.ts'

/** On an instance with more custom codes that are as long as random ones, none are cached: some ten megabytes. */
export const cachedCustomCodes_max = 200_000

interface Known {
  readonly codes: Set<InviteCode>
  /** Whether it has every code that guilds may have. It has not while it is loaded, and if there are too many. */
  isWhole: boolean
}

/**
 * Caches the custom codes that a random code could equal but for its case, from the first question on, so that a new invite asks
 * nothing for its code. A code that was returned stays here: it is only a question too many. `published` gives the position up to
 * which `forget` has received every event; undefined while nothing is cached.
 */
export function cachedCustomCodes(
  queries: InviteQueries,
  published: () => Position | undefined,
  { codes_max = cachedCustomCodes_max }: { readonly codes_max?: number } = {},
): Cache<InviteQueries> {
  let known: Known | undefined

  /** Who asks meanwhile gets no answer from here. `forget` adds what is claimed meanwhile. */
  async function load(from: Position): Promise<void> {
    const loading: Known = { codes: new Set(), isWhole: false }
    known = loading
    let isRead = false
    try {
      const read = await queries.customCodes(randomCodeLength, codes_max + 1)
      if (!read || read.position < from) return
      isRead = true
      if (read.codes.length > codes_max) return
      for (const code of read.codes) loading.codes.add(code)
      loading.isWhole = true
    } finally {
      // The next question loads them.
      if (!isRead && known === loading) known = undefined
    }
  }

  return {
    queries: {
      ...queries,
      async mayBeCustom(code, asOf) {
        const from = published()
        if (from !== undefined && !known) await load(from)
        const to = published()
        return to === undefined || to < asOf || !known?.isWhole || known.codes.has(code)
      },
    },
    forget({ stream, type }: Heard) {
      if (!known || type !== 'CustomCodeClaimed') return
      const code = inviteCode(idOf(stream))
      if (code.length === randomCodeLength) known.codes.add(code)
      if (known.codes.size > codes_max) known = { codes: new Set(), isWhole: false }
    },
    forgetAll() {
      known = undefined
    },
  }
}
