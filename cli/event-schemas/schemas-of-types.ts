import { SymbolFlags, TypeFlags, type Checker, type Symbol, type Type } from 'typescript/unstable/sync'

/** A JSON schema, in the draft of 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

/** Gives the form of texts that the compiler tells apart by a brand, such as ids; undefined for every other text. */
export type FormOf = (branded: Type) => JsonSchema | undefined

/**
 * Reads types of one project as JSON schemas. Objects allow no other members than those of their types. What a doc comment says of
 * a type or a member is its description.
 */
export class SchemasOfTypes {
  readonly #checker: Checker
  readonly #formOf: FormOf
  readonly #named = new Map<string, { readonly id: number; readonly schema: JsonSchema }>()

  constructor(checker: Checker, formOf: FormOf) {
    this.#checker = checker
    this.#formOf = formOf
  }

  /** The schemas of the named types that were met so far, by the names of the types. */
  get definitions(): readonly (readonly [string, JsonSchema])[] {
    return [...this.#named].map(([name, { schema }]) => [name, schema])
  }

  /** The schema of a type; that of a named one is a reference into `definitions`. Throws for what JSON can't hold. */
  of(type: Type): JsonSchema {
    const name = nameOf(type)
    if (name === undefined) return this.#anonymous(type)
    const known = this.#named.get(name)
    if (known && known.id !== type.id) throw new Error(`two types of stored events are named ${name}`)
    if (!known) {
      const description = described(this.#checker, type.getAliasSymbol() ?? type.getSymbol())
      this.#named.set(name, { id: type.id, schema: { ...description, ...this.#anonymous(type) } })
    }
    return referenceTo(name)
  }

  /** The schema of an object with its members, also if the type has a name. */
  ofMembers(type: Type): ObjectSchema {
    const members = this.#checker.getPropertiesOfType(type)
    const [index] = this.#checker.getIndexInfosOfType(type)
    return {
      type: 'object',
      properties: Object.fromEntries(members.map((member) => [member.name, this.#ofMember(member)])),
      required: members.filter(({ flags }) => !(flags & SymbolFlags.Optional)).map(({ name }) => name),
      additionalProperties: index ? this.of(index.valueType) : false,
    }
  }

  #ofMember(member: Symbol): JsonSchema {
    const type = this.#checker.getTypeOfSymbol(member)
    if (!type) throw new Error(`the member ${member.name} has no type`)
    return { ...described(this.#checker, member), ...this.of(type) }
  }

  #anonymous(type: Type): JsonSchema {
    const simple = simpleSchemas.find(({ flags }) => type.flags & flags)
    if (simple) return simple.schema
    if (type.isLiteralType()) return { const: type.value }
    if (type.isUnionType()) return this.#union(type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Undefined)))
    if (type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & TypeFlags.String))
      return { type: 'string', ...this.#formOf(type) }
    if (type.isTypeReference() && this.#checker.isArrayType(type)) return this.#list(type)
    if (type.isObjectType() && !this.#checker.isTupleType(type)) return this.ofMembers(type)
    if (type.isIntersectionType()) return this.ofMembers(type)
    throw new Error(`a stored event holds ${this.#checker.typeToString(type)}, for which there is no schema`)
  }

  #list(type: Parameters<Checker['getTypeArguments']>[0]): JsonSchema {
    const [item] = this.#checker.getTypeArguments(type)
    return item ? { type: 'array', items: this.of(item) } : { type: 'array' }
  }

  #union(types: readonly Type[]): JsonSchema {
    const schemas = types.map((type) => this.of(type))
    const values = inOrder(schemas.flatMap((schema) => ('const' in schema ? [schema['const']] : [])))
    const others = schemas.filter((schema) => !('const' in schema) && !isNull(schema))
    const choices = [...inOrder(others), ...choicesOf(values)]
    const [only] = choices
    const schema = only && choices.length === 1 ? only : { anyOf: choices }
    return schemas.some(isNull) ? orNull(schema) : schema
  }
}

/** By the flags of the type. The type of `boolean` is a union too, so it is looked for first. */
const simpleSchemas: readonly { readonly flags: TypeFlags; readonly schema: JsonSchema }[] = [
  { flags: TypeFlags.Unknown, schema: {} },
  { flags: TypeFlags.Null, schema: { type: 'null' } },
  { flags: TypeFlags.Boolean, schema: { type: 'boolean' } },
  { flags: TypeFlags.String | TypeFlags.TemplateLiteral, schema: { type: 'string' } },
  { flags: TypeFlags.Number, schema: { type: 'number' } },
]

export const referenceTo = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` })

/** A schema for values of which `condition` is true: `consequence` must be true of them too. */
export function implication(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema.
  return { if: condition, then: consequence }
}

/** The same schema, which takes null as well. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values } = schema
  if (Array.isArray(anyOf)) return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (Array.isArray(values)) return values.includes(null) ? schema : { ...schema, enum: [...values, null] }
  if (Array.isArray(type)) return type.includes('null') ? schema : { ...schema, type: [...type, 'null'] }
  if (typeof type === 'string') return isNull(schema) ? schema : { ...schema, type: [type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

const isNull = (schema: unknown): boolean => Object(schema).type === 'null'

/** What a doc comment says of a type or a member, in one line. */
export function described(checker: Checker, symbol: Symbol | undefined): { readonly description?: string } {
  const text = symbol && checker.getDocumentationCommentOfSymbol(symbol).replaceAll(/\s+/g, ' ').trim()
  return text ? { description: text } : {}
}

/** The name of an interface, or of an alias without parameters; undefined for a type that is written where it is used. */
function nameOf(type: Type): string | undefined {
  const alias = type.getAliasSymbol()
  if (alias) return type.getAliasTypeArguments().length === 0 ? alias.name : undefined
  return type.isClassOrInterface() && type.getTypeParameters().length === 0 ? type.getSymbol()?.name : undefined
}

/** Schemas of one of these values. */
function choicesOf(values: readonly unknown[]): readonly JsonSchema[] {
  if (values.includes(true) && values.includes(false)) {
    const others = values.filter((value) => typeof value !== 'boolean')
    return [{ type: 'boolean' }, ...choicesOf(others)]
  }
  if (values.length <= 1) return values.map((value) => ({ const: value }))
  return [{ enum: values }]
}

/** The order of a union is the compiler's own, and another one after unrelated changes. */
function inOrder<Value>(values: readonly Value[]): readonly Value[] {
  return values.toSorted((one, other) => {
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
  })
}
