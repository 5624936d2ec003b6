/** Documents a publisher would write, as YAML, with whatever a test puts in their place. */
export const template = (name = '$publisher::Coupon::v1', more = ''): string => `template: ${name}
unpublished: true
${more}vatom:
  vAtom::vAtomType:
    root_type: vAtom::vAtomType
    title: Coupon
    category: Coupons
    resources:
      - name: CardImage
        resourceType: ResourceType::Image::PNG
        value:
          resourceValueType: ResourceValueType::URI
          value: https://example.com/card.png
  private:
    color: blue
`

export const variation = (
  name = '$publisher::Coupon::v1::Red',
  of = '$publisher::Coupon::v1',
  more = '',
): string => `template_variation: ${name}
template: ${of}
${more}vatom:
  vAtom::vAtomType:
    title: Red coupon
  private:
    color: red
`

export const face = (of = '$publisher::Coupon::v1', viewMode = 'icon'): string => `template: ${of}
display_url: native://image
package_url: native://image
constraints:
  bluetooth_le: false
  contact_list: false
  gps: false
  three_d: false
  view_mode: ${viewMode}
  platform: generic
  quality: high
resources: [CardImage]
`

export const action = (name = 'Transfer', more = ''): string => `name: $publisher::Coupon::v1::Action::${name}
reactor: blockv://v1/${name}
${more}`
