//! A round-robin load balancer: each connection goes to the next node that accepts it.

use crate::service::Shop;
use anyhow::{Context, Result};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// Listens on the address that clients use.
pub async fn start(shop: &Shop) -> Result<()> {
    let listener =
        TcpListener::bind(shop.address()).await.context("the load balancer's address")?;
    let nodes = shop.listens.clone();
    tokio::spawn(async move {
        let mut next = 0;
        while let Ok((client, _)) = listener.accept().await {
            next += 1;
            tokio::spawn(forward(client, nodes.clone(), next));
        }
    });
    Ok(())
}

/// If no node accepts the connection, it is closed, as without a service.
async fn forward(mut client: TcpStream, nodes: Vec<String>, first: usize) {
    for node in nodes.iter().cycle().skip(first % nodes.len()).take(nodes.len()) {
        if let Ok(mut node) = TcpStream::connect(node).await {
            // It ends when the client or the node closes it, or the node is killed.
            let _ = copy_bidirectional(&mut client, &mut node).await;
            return;
        }
    }
}
