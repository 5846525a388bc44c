import { z } from 'zod'

/** A deeply readonly value. */
type Finished<Value> = Value extends readonly (infer Element)[]
  ? readonly Finished<Element>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Finished<Value[Member]> }
    : Value

/** The object that a declaration describes. */
export type ObjectOf<Declaration extends z.ZodType> = Finished<z.input<Declaration>>

/**
 * Declares an object of the wire: its name in the documents, and each member with what it means. Its type (`ObjectOf`), its JSON
 * schema and the check of replies follow.
 */
export function wireObject<Members extends z.ZodRawShape>(id: string, members: Members): z.ZodObject<Members> {
  return z.object(members).meta({ id })
}

type MembersOf<Shape> = Shape extends unknown ? keyof Shape : never
type MemberOf<Shape, Member extends PropertyKey> = Shape extends { readonly [Name in Member]?: infer Value }
  ? Value
  : never

type ElementOf<Shape> = Shape extends readonly (infer Element)[] ? Element : never
/** An id has a type of its own, which would count as an object. */
type Scalar = string | number | boolean | null | undefined

/** What is given, if each of its members is declared; others must be absent. */
type Declared<Shape, Given> = unknown extends Shape
  ? Given
  : Given extends Scalar
    ? Given
    : Given extends readonly (infer Item)[]
      ? readonly Declared<ElementOf<Shape>, Item>[]
      : {
          [Member in keyof Given]: Member extends MembersOf<Shape>
            ? Declared<MemberOf<Shape, Member>, Given[Member]>
            : never
        }

/**
 * The object, as its declaration has it. The compiler refuses a member that is missing or of another type, and one that the
 * declaration does not name, even if it comes with a spread.
 */
export function objectOf<Declaration extends z.ZodType, const Given extends ObjectOf<Declaration>>(
  _declaration: Declaration,
  given: Given & Declared<ObjectOf<Declaration>, Given>,
): ObjectOf<Declaration> {
  return given
}
