//! Resources by whose ids others name them.

#[derive(Debug)]
pub struct ShadowCustomers;

kernel::resource!(ShadowCustomers, "shadow_customers", "SHADOW_CUSTOMER");

#[derive(Debug)]
pub struct Addresses;

kernel::resource!(Addresses, "shadow_customer_addresses", "SHADOW_CUSTOMER_ADDRESS");
