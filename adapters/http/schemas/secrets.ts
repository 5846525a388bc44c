import { z } from 'zod'

const secrets = z.registry<Record<never, never>>()

/**
 * A token, key, code, ticket or proof of an answer: whoever has it may do something with it. No answer with such a member is
 * stored by anybody on its way (`holdsSecret`). What everybody may see, such as the code of an invite, is none.
 */
export const secretOutput = z.string().register(secrets, {})

/** Whether something that a schema describes may hold a secret. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  if (secrets.has(schema)) return true
  // Every schema is one of the library's own kinds; its type does not say so.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.values(def.shape).some(holdsSecret)
    case 'array':
      return holdsSecret(def.element)
    case 'record':
      return holdsSecret(def.valueType)
    case 'tuple':
      return def.items.some(holdsSecret)
    case 'union':
      return def.options.some(holdsSecret)
    case 'intersection':
      return holdsSecret(def.left) || holdsSecret(def.right)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return holdsSecret(def.innerType)
    case 'pipe':
      return holdsSecret(def.out)
    default:
      return false
  }
}
