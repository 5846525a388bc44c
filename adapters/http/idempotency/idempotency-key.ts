import { field, type FieldError } from '../../../domain/kernel/refusal.ts'

const key_max = 255
const path = 'Idempotency-Key'

/** The faults of an Idempotency-Key. A valid key has 1-255 printable ASCII characters. */
export function keyFaults(key: string | undefined): readonly FieldError[] {
  if (key === undefined) return []
  if (key.length < 1 || key.length > key_max) return [field(path, 'STRING_LENGTH_INVALID')]
  return /^[\x20-\x7e]+$/.test(key) ? [] : [field(path, 'INVALID_FORMAT')]
}
