import { field, refusal, type Refusal } from '../../kernel/refusal.ts'

/** An unreadable template: duplicate names, or a mask that is not an integer. */
export const invalidTemplate: Refusal = refusal('GUILD_TEMPLATE_INVALID')

/** A template with too much of something, named by its path in the body; `bounds` are added to the details. */
export function templateTooLarge(path: string, bounds: Refusal['details'] = {}): Refusal {
  return { code: 'GUILD_TEMPLATE_INVALID', fields: [field(path, 'TOO_LARGE')], details: bounds }
}

/** Whether an outcome is a refusal. */
export function isRefusal<Value extends object>(outcome: Value | Refusal): outcome is Refusal {
  return 'code' in outcome && 'fields' in outcome
}
