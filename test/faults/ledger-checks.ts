import { z } from 'zod'
import { isSuccess, type Entry } from '../support/load-ledger.ts'
import { pair, type Facts } from './history-facts.ts'

/** The differences between what clients were told and what happened. If all lists are empty, there are none. */
export interface Findings {
  /** Commands that were acknowledged but have no effect. */
  readonly lost: readonly string[]
  /** Commands that have more than one effect. */
  readonly repeated: readonly string[]
  /** Answers that no client could expect, and effects that no command explains. */
  readonly unexpected: readonly string[]
}

const code = z.object({ code: z.string() })
const userId = z.object({ user_id: z.string() })
const id = z.object({ id: z.string() })

/** Compares every command of the ledger with the history, and checks the history against its own laws. */
export function compareWithHistory(entries: readonly Entry[], facts: Facts): Findings {
  const findings = { lost: [] as string[], repeated: [] as string[], unexpected: [] as string[] }
  for (const entry of entries) {
    const { effects, refusals } = expectationOf(entry, facts)
    const { answer, wish, attempts } = entry
    const story = `${JSON.stringify(wish)}, tried ${attempts} times, answered ${JSON.stringify(answer)}: ${JSON.stringify(effects)}`
    if (effects.length > 1) findings.repeated.push(story)
    if (!answer) continue
    if (isSuccess(answer)) {
      if (effects.length === 0) findings.lost.push(story)
    } else if (!refusals.includes(codeOf(answer.body)) || (effects.length > 0 && wish.kind !== 'leave')) {
      findings.unexpected.push(story)
    }
  }
  findings.unexpected.push(...brokenLaws(facts), ...halfDone(facts))
  return findings
}

interface Expectation {
  /** The effects of the command: one or none. */
  readonly effects: readonly string[]
  /** The codes that the command may be refused with. A refused command has no effect. */
  readonly refusals: readonly string[]
}

function expectationOf({ wish, answer, attempts }: Entry, facts: Facts): Expectation {
  const told = <Answer>(schema: z.ZodType<Answer>): Answer | undefined =>
    answer && isSuccess(answer) ? schema.parse(answer.body) : undefined
  switch (wish.kind) {
    case 'register':
      return {
        effects: matching(facts.accounts.get(wish.username), told(userId)?.user_id),
        // The claim of a killed process was released before its client came back: the key is spent.
        refusals: attempts > 1 ? ['CONFLICT'] : [],
      }
    case 'create guild':
      return { effects: matching(facts.guilds.get(wish.name), told(id)?.id), refusals: [] }
    case 'create invite':
      return { effects: matching(facts.codes.get(String(wish.maxAge)), told(code)?.code), refusals: [] }
    case 'accept':
      return { effects: facts.redemptions.get(pair(wish.code, wish.account)) ?? [], refusals: ['UNKNOWN_INVITE'] }
    case 'leave':
      // DELETE has no Idempotency-Key. If an earlier try was not answered, it may have done the work.
      return {
        effects: facts.leaves.get(pair(wish.guild, wish.account)) ?? [],
        refusals: attempts > 1 ? ['UNKNOWN_MEMBER'] : [],
      }
  }
}

/** The effects, or none if the single effect is not the one that the client was told. */
function matching(effects: readonly string[] = [], told: string | undefined): readonly string[] {
  return told === undefined || effects.length !== 1 || effects[0] === told ? effects : []
}

const codeOf = (body: unknown): string => code.safeParse(body).data?.code ?? ''

/**
 * The number of uses equals the number of admissions that name the invite, and never exceeds the invite's maximum (anchors, L7).
 */
function brokenLaws({ uses, maxUses, redemptions, admissions }: Facts): readonly string[] {
  const tooMany = [...uses].flatMap(([invite, counts]) => {
    const max = maxUses.get(invite) ?? 0
    return max > 0 && counts.some((count) => count > max)
      ? [`${invite} has ${max} uses, and events speak of ${counts.join()}`]
      : []
  })
  const keys = new Set([...redemptions.keys(), ...admissions.keys()])
  const unpaid = [...keys].flatMap((key) => {
    const [spent, admitted] = [redemptions.get(key) ?? [], admissions.get(key) ?? []]
    return spent.toSorted().join() === admitted.toSorted().join()
      ? []
      : [`${key}: uses spent ${spent.join()}, admissions ${admitted.join()}`]
  })
  return [...tooMany, ...unpaid]
}

/**
 * Every account has one tag and one address, and only accounts have them. Every guild has its owner as a member. No account is in
 * a guild twice.
 */
function halfDone({ accounts, tags, addresses, guilds, foundings, joins, leaves }: Facts): readonly string[] {
  const registered = new Set([...accounts.values()].flat())
  const claims = [...tags, ...addresses].flatMap(([account, held]) => {
    const rightful = registered.has(account) ? 1 : 0
    return held.length === rightful ? [] : [`Account ${account} holds ${JSON.stringify(held)}, and should ${rightful}`]
  })
  const owned = new Set([...foundings.values()].flat())
  const ownerless = [...guilds.values()].flat().filter((guild) => !owned.has(guild))
  const twice = [...joins].filter(([key, list]) => list.length - (leaves.get(key)?.length ?? 0) > 1)
  return [
    ...claims,
    ...ownerless.map((guild) => `Nobody owns ${guild}`),
    ...twice.map(([key]) => `${key} joined twice`),
  ]
}
