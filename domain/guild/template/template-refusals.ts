import { field, refusal, type Refusal } from '../../kernel/refusal.js'

/** A template that can't be read: two of one name, or a mask that is no integer (contract part 1). */
export const invalidTemplate: Refusal = refusal('GUILD_TEMPLATE_INVALID')

/** A template with too much of something, named by its place in the body; `bounds` stand beside the code. */
export function templateTooLarge(path: string, bounds: Refusal['details'] = {}): Refusal {
  return { code: 'GUILD_TEMPLATE_INVALID', fields: [field(path, 'TOO_LARGE')], details: bounds }
}

/** Whether something was refused. */
export function isRefusal<Value extends object>(outcome: Value | Refusal): outcome is Refusal {
  return 'code' in outcome && 'fields' in outcome
}
