import type { Inverse, StepOn } from './inverse.ts'

/** The operations on Admin keys, reports and the directory that take something back. */
export const queueInverseNames: readonly string[] = [
  'Update Admin key',
  'Delete Admin key',
  'Claim report',
  'Release report',
  'Update discovery listing',
  'Remove discovery listing',
  'Restore discovery listing',
  'Move discovery listings to a category',
  'Release discovery application',
]

/** Gives the request that takes an act on an Admin key back. */
export function inverseOnAdminKey(step: StepOn<'admin_key'>): Inverse {
  const params = { key_id: step.id }
  return step.does === 'delete'
    ? { operation: 'Delete Admin key', params }
    : { operation: 'Update Admin key', params, body: step.changes }
}

/** The same for a claim of a report. */
export function inverseOnReport({ id, does }: StepOn<'report'>): Inverse {
  return { operation: does === 'claim' ? 'Claim report' : 'Release report', params: { report_id: id } }
}

/** The same for a listing of the directory. */
export function inverseOnListing(step: StepOn<'listing'>): Inverse {
  const params = { guild_id: step.guildId }
  switch (step.does) {
    case 'restore':
      return { operation: 'Restore discovery listing', params }
    case 'remove':
      return { operation: 'Remove discovery listing', params, body: { reason: step.reason } }
    case 'edit': {
      const { description, categoryType, primaryLanguage, customTags } = step.changes
      const body = {
        description,
        category_type: categoryType,
        primary_language: primaryLanguage,
        custom_tags: customTags,
      }
      return { operation: 'Update discovery listing', params, body }
    }
  }
}

/** The same for a move of listings. It answers with success also if some could not be moved. */
export function inverseOfMove({ guilds, categoryType }: StepOn<'categories'>): Inverse {
  return {
    operation: 'Move discovery listings to a category',
    body: { guild_ids: guilds, category_type: categoryType },
    // Only that operation gives this reply.
    isDone: (reply) => (reply as { readonly failed_guild_ids: readonly string[] }).failed_guild_ids.length === 0,
  }
}
