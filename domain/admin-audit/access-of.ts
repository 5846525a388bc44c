/** Whether an action looks or changes. */
export type AuditedAccess = 'read' | 'write'

/** How the names of actions begin that only look. */
export const readingActions: readonly string[] = ['list_', 'get_', 'search_', 'check_']
/** How they end. */
export const dryRun = '_dry_run'

/** What class an action is of, by its name (reference stores 4.12). */
export function accessOf(action: string): AuditedAccess {
  return readingActions.some((prefix) => action.startsWith(prefix)) || action.endsWith(dryRun) ? 'read' : 'write'
}
