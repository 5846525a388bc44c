/** Whether an action reads or changes. */
export type AuditedAccess = 'read' | 'write'

/** The prefixes of read-only actions. */
export const readingActions: readonly string[] = ['list_', 'get_', 'search_', 'check_']
/** Their suffix. */
export const dryRun = '_dry_run'

/** The class of an action: its name tells whether it only reads. */
export function accessOf(action: string): AuditedAccess {
  return readingActions.some((prefix) => action.startsWith(prefix)) || action.endsWith(dryRun) ? 'read' : 'write'
}
