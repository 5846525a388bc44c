/** Whether an action reads or changes. */
export type AuditedAccess = 'read' | 'write'

/** The prefixes of read-only actions. */
export const readingActions: readonly string[] = ['list_', 'get_', 'search_', 'check_']
/** Their suffix. */
export const dryRun = '_dry_run'

/** The class of an action, by its name (reference stores 4.12). */
export function accessOf(action: string): AuditedAccess {
  return readingActions.some((prefix) => action.startsWith(prefix)) || action.endsWith(dryRun) ? 'read' : 'write'
}
