/** An address of a system outside of its operations, such as its token endpoint. */
export interface SystemAddress {
  /** The system's own. */
  readonly url: string
  /** The same place, relative to a base address set by the operator. */
  readonly relativeToBase: string
}
