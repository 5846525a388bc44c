import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { read } from '../../../docs/pages.ts'

interface EventSchemas {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The schemas as they stand in docs/; that they are up to date is the test of the reference. */
export const schemas = JSON.parse(read('docs/reference/events.json')) as EventSchemas

/** The keywords of the schemas that JSON Schema does not have. Any other one that it does not know is an error. */
const keywords = ['x-category', 'x-personal-reason', 'x-shown-to']

const ajv = new Ajv2020({ strictTypes: false }).addVocabulary(keywords)
ajv.addSchema(schemas, 'events')

/** What is wrong with a line of an export; undefined if nothing is. */
export function faultOfLine(line: unknown): string | undefined {
  return faultBy(validatorOf(''), line)
}

/** What is wrong with a value by one definition, such as `GuildDeleted.v1`; undefined if nothing is. */
export function faultOf(definition: string, value: unknown): string | undefined {
  return faultBy(validatorOf(`/$defs/${definition}`), value)
}

function validatorOf(pointer: string): ValidateFunction {
  const found = ajv.getSchema(`events#${pointer}`)
  if (!found) throw new Error(`there is no schema at ${pointer}`)
  return found
}

function faultBy(validate: ValidateFunction, value: unknown): string | undefined {
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}
