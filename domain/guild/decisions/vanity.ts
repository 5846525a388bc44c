import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import { refusalOf } from '../../permissions/authority.ts'
import type { AdoptVanityClaim, SetVanityCode, VanityCommand } from '../commands.ts'
import type { GuildEvent } from '../events.ts'
import type { CustomCode, Guild, GuildState } from '../state.ts'

/** The custom invite URL: choosing a code, giving it up, and following a claim (rules/guilds#custom-url). */
export function decideVanity(state: GuildState, command: VanityCommand): Decision<GuildEvent> {
  switch (command.type) {
    case 'SetVanityCode':
      return set(state, command)
    case 'AdoptVanityClaim':
      return adopt(state, command)
  }
}

/** A guild's custom code; null for none. */
export function heldCode({ settings, vanityClaim = 0 }: Guild): CustomCode | null {
  return settings.vanityCode === null ? null : { code: settings.vanityCode, claim: vanityClaim }
}

/**
 * Refuses a member with MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, and VANITY_URL_REQUIRES_FEATURE for a code that the guild does
 * not have yet. Of two claims of its own code, the guild keeps the newer one.
 */
function set(state: GuildState, { by, custom }: SetVanityCode): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const refusal = by === 'instance' ? undefined : refusalOf(state, by, 'MANAGE_GUILD')
  if (refusal !== undefined) return refuse(refusal)
  const before = heldCode(state)
  const needsFeature = by !== 'instance' && custom !== null && custom.code !== before?.code
  if (needsFeature && !state.features.includes('VANITY_URL'))
    return refuse('INVALID_FORM_BODY', field('code', 'VANITY_URL_REQUIRES_FEATURE'))
  const changesNothing = custom === null ? before === null : isHeldBy(before, custom)
  if (changesNothing) return accept()
  return accept({ type: 'VanityCodeChanged', data: { guildId: state.id, before, after: custom } })
}

function adopt(state: GuildState, { custom }: AdoptVanityClaim): Decision<GuildEvent> {
  if (state.status !== 'active') return accept()
  const before = heldCode(state)
  if (before?.code !== custom.code || isHeldBy(before, custom)) return accept()
  return accept({ type: 'VanityCodeChanged', data: { guildId: state.id, before, after: custom } })
}

function isHeldBy(held: CustomCode | null, { code, claim }: CustomCode): boolean {
  return held?.code === code && held.claim >= claim
}
