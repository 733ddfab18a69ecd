/** An address of a system outside of its operations, such as its token endpoint. */
export interface SystemAddress {
  /** The system's own address. */
  readonly url: string
  /** The same place, relative to a base address that the operator set. */
  readonly relativeToBase: string
}
