import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { read } from '../../../docs/pages.ts'

interface Catalogue {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The catalogue as it stands in docs/; that it is up to date is the test of the reference. */
export const catalogue = JSON.parse(read('docs/reference/events.json')) as Catalogue

/** The words of the catalogue that JSON Schema does not have. Every other one that it does not know is an error. */
const words = ['x-category', 'x-personal-reason', 'x-shown-to']

const ajv = new Ajv2020({ strictTypes: false }).addVocabulary(words)
ajv.addSchema(catalogue, 'events')

/** What is wrong with a line of an export; undefined if nothing is. */
export function faultOfLine(line: unknown): string | undefined {
  return faultBy(validatorOf(''), line)
}

/** What is wrong with a value by one definition of the catalogue, such as `GuildDeleted.v1`; undefined if nothing is. */
export function faultOf(definition: string, value: unknown): string | undefined {
  return faultBy(validatorOf(`/$defs/${definition}`), value)
}

function validatorOf(pointer: string): ValidateFunction {
  const found = ajv.getSchema(`events#${pointer}`)
  if (!found) throw new Error(`the catalogue has no ${pointer}`)
  return found
}

function faultBy(validate: ValidateFunction, value: unknown): string | undefined {
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}
