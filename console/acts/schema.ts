/** A JSON schema, as far as the Admin API uses it. References are resolved. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly (string | number)[]
  readonly const?: unknown
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** A schema without the alternative null, and whether that was one. */
export function withoutNull(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) {
    const others = alternatives.filter(({ type }) => type !== 'null')
    const isNullable = others.length < alternatives.length
    const [only, ...more] = others
    if (only && more.length === 0)
      return { schema: { ...only, description: schema.description ?? only.description }, isNullable }
    return { schema: { ...schema, anyOf: others }, isNullable }
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type: string) => type !== 'null')
    return { schema: { ...schema, type: types[0] }, isNullable: types.length < schema.type.length }
  }
  return { schema, isNullable: false }
}

/** What a member of a form is drawn as. */
export type Kind =
  | 'text'
  | 'long text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'choice'
  | 'choices'
  | 'texts'
  | 'object'
  | 'objects'
  | 'json'

const longText = 256

export function kindOf(schema: Schema): Kind {
  if (schema.enum) return 'choice'
  switch (schema.type) {
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      if (schema.format === 'date-time') return 'time'
      return (schema.maxLength ?? 0) > longText ? 'long text' : 'text'
    case 'array': {
      const { schema: item } = withoutNull(schema.items ?? {})
      if (item.enum) return 'choices'
      if (item.properties) return 'objects'
      return item.type === 'string' || item.anyOf !== undefined ? 'texts' : 'json'
    }
    case 'object':
      return schema.properties ? 'object' : 'json'
    default:
      return schema.anyOf?.some(({ type }) => type === 'string') === true ? 'text' : 'json'
  }
}

/** Whether a schema of an object requires a member. */
export function isRequired(schema: Schema, name: string): boolean {
  return schema.required?.includes(name) === true
}

/**
 * The schema of a body of which some members are known: of several alternatives the one that these members belong to, by its constants.
 */
export function schemaFor(schema: Schema, known: Readonly<Record<string, unknown>>): Schema {
  const fits = ({ properties = {} }: Schema): boolean =>
    Object.entries(known).every(([name, value]) => {
      const member = properties[name]
      return member !== undefined && (member.const === undefined || member.const === value)
    })
  const [only, ...others] = (schema.oneOf ?? []).filter(fits)
  return only && others.length === 0 ? only : schema
}
