import type { z } from 'zod'
import { secrets } from '../../../application/wire-objects/scalars.ts'

/** Whether a value of this schema may hold a secret. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  // `has` would miss a secret that says what it means, which is a copy.
  if (secrets.get(schema)) return true
  // Every schema is one of the library's own kinds, though its type does not say so.
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
